package import DBClientCore

/// A model without macros.
package struct Note: Stored, Equatable {
    package let identifier: Int
    package var text: String

    package static let schema = Schema<Note>(
        name: "Note",
        fields: [
            .field(\.identifier, "identifier", primaryKey: .given),
            .field(\.text, "text"),
        ]
    )

    package var primaryKey: Int { identifier }

    package init(identifier: Int, text: String) {
        self.identifier = identifier
        self.text = text
    }

    package init(row: inout RowReader) throws {
        identifier = try row.read()
        text = try row.read()
    }

    package func write(to row: inout RowWriter) throws {
        try row.write(identifier)
        try row.write(text)
    }
}
