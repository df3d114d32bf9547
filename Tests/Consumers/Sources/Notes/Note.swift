public import DBClientCore

/// A model without macros.
public struct Note: Stored, Equatable {
    public let identifier: Int
    public var text: String

    public static let schema = Schema<Note>(
        name: "Note",
        fields: [
            .field(\.identifier, "identifier", primaryKey: .given),
            .field(\.text, "text"),
        ])

    public var primaryKey: Int { identifier }

    public init(identifier: Int, text: String) {
        self.identifier = identifier
        self.text = text
    }

    public init(row: inout RowReader) throws {
        identifier = try row.read()
        text = try row.read()
    }

    public func write(to row: inout RowWriter) throws {
        try row.write(identifier)
        try row.write(text)
    }
}
