import DBClientCore

/// A model without macros.
struct Note: Stored, Equatable {
    let identifier: Int
    var text: String

    static let schema = Schema<Note>(
        name: "Note",
        fields: [
            .field(\.identifier, "identifier", primaryKey: .given),
            .field(\.text, "text"),
        ])

    var primaryKey: Int { identifier }

    init(identifier: Int, text: String) {
        self.identifier = identifier
        self.text = text
    }

    init(row: inout RowReader) throws {
        identifier = try row.read()
        text = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(identifier)
        try row.write(text)
    }
}
