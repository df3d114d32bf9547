import DBClientCore

// snippet: macro-free
struct Publisher: Stored {
    let identifier: Int
    var name: String

    static let schema = Schema<Publisher>(
        name: "Publisher",
        fields: [
            .field(\.identifier, "identifier", primaryKey: .given),
            .field(\.name, "name", index: .unique),
        ]
    )

    var primaryKey: Int { identifier }

    init(row: inout RowReader) throws {
        identifier = try row.read()
        name = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(identifier)
        try row.write(name)
    }
}
// end snippet
