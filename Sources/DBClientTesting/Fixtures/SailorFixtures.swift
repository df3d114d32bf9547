import DBClientCore

/// Holds a value that may refer to one of its own kind.
struct Sailor: Stored, Equatable {
    let id: Int
    var ship: Ship?

    init(_ id: Int, _ ship: Ship? = nil) {
        self.id = id
        self.ship = ship
    }

    static let schema = Schema<Sailor>(
        name: "Sailor",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.ship, "ship"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        ship = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(ship)
    }
}

/// Refers to one that may hold it.
struct Ship: Stored, Equatable {
    let id: Int
    var captain: Reference<Sailor>?

    init(_ id: Int, captain: Int? = nil) {
        self.id = id
        self.captain = captain.map { Reference($0) }
    }

    static let schema = Schema<Ship>(
        name: "Ship",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.captain, "captain"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        captain = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(captain)
    }
}
