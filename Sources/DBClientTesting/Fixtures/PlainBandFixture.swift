import DBClientCore

/// The entity of `Band1` with nothing that it holds.
struct PlainBand: Stored, Equatable {
    let id: Int
    var name: String

    init(_ id: Int, name: String) {
        self.id = id
        self.name = name
    }

    static let schema = Schema<PlainBand>(
        name: "Band",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
    }
}
