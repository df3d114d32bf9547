import DBClientCore

/// Refers to its own kind, and to nothing else.
struct Member: Stored, Equatable {
    let id: Int
    var name: String
    var rank: Int
    var boss: Reference<Member>?

    init(_ id: Int, _ name: String = "", rank: Int = 0, boss: Int? = nil) {
        self.id = id
        self.name = name
        self.rank = rank
        self.boss = boss.map { Reference($0) }
    }

    static let schema = Schema<Member>(
        name: "Member",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name"),
            .field(\.rank, "rank"),
            .field(\.boss, "boss", onDelete: .weak),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        rank = try row.read()
        boss = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(rank)
        try row.write(boss)
    }
}
