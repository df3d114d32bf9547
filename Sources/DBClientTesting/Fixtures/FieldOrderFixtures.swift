import DBClientCore

/// A model of three fields, of which the first is the key.
struct Pair: Stored, Equatable {
    let id: Int
    var first: String
    var second: Int?

    init(_ id: Int, _ first: String, _ second: Int?) {
        self.id = id
        self.first = first
        self.second = second
    }

    static let schema = Schema<Pair>(
        name: "Pair",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.first, "first", index: .unique),
            .field(\.second, "second"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        first = try row.read()
        second = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(first)
        try row.write(second)
    }
}

/// The same entity with its fields in another order.
struct TurnedPair: Stored, Equatable {
    let id: Int
    var first: String
    var second: Int?

    init(_ id: Int, _ first: String, _ second: Int?) {
        self.id = id
        self.first = first
        self.second = second
    }

    static let schema = Schema<TurnedPair>(
        name: "Pair",
        fields: [
            .field(\.second, "second"),
            .field(\.first, "first"),
            .field(\.id, "id", primaryKey: .given),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        second = try row.read()
        first = try row.read()
        id = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(second)
        try row.write(first)
        try row.write(id)
    }
}
