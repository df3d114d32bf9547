import DBClientCore

/// What every owner holds one of.
struct Maker: Stored, Hashable {
    let id: Int
    var name: String

    static let schema = Schema<Maker>(
        name: "Maker",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name", index: .plain),
        ]
    )
    var primaryKey: Int { id }

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
    }
}

/// What every owner holds five of.
struct Part: Stored, Hashable {
    let id: Int
    var name: String
    var level: Int

    static let schema = Schema<Part>(
        name: "Part",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name"),
            .field(\.level, "level"),
        ]
    )
    var primaryKey: Int { id }

    init(id: Int, name: String, level: Int) {
        self.id = id
        self.name = name
        self.level = level
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        level = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(level)
    }
}

/// A value that holds others.
struct Owner: Stored, Hashable {
    let id: Int
    var name: String
    var maker: Maker
    var parts: [Part]

    static let schema = Schema<Owner>(
        name: "Owner",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.name, "name"),
            .field(\.maker, "maker"), .field(\.parts, "parts"),
        ]
    )
    var primaryKey: Int { id }

    init(id: Int, name: String, maker: Maker, parts: [Part]) {
        self.id = id
        self.name = name
        self.maker = maker
        self.parts = parts
    }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        maker = try row.read()
        parts = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(maker)
        try row.write(parts)
    }
}

extension Owner {
    /// Returns owners with a maker of a hundred and five parts each of their own.
    static func sample(_ count: Int) -> [Owner] {
        let makers = (0..<100).map { Maker(id: $0, name: "maker \($0)") }
        return (1...count).map { id in
            Owner(
                id: id,
                name: "owner number \(id)",
                maker: makers[id * 7 % 100],
                parts: (0..<5).map {
                    Part(id: id * 5 + $0, name: "part \($0) of \(id)", level: (id + $0) % 17)
                }
            )
        }
    }
}

extension [Owner] {
    /// A number that differs when any field of any value, or their order, does.
    var fingerprint: Int { hashValue }
}
