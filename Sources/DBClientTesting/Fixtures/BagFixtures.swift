import DBClientCore

/// With a list of values that are kept as JSON.
struct Bag: Stored, Equatable {
    struct Item: Codable, Equatable, Sendable {
        var name: String

        init(_ name: String) { self.name = name }
    }

    let id: Int
    var items: [Item]

    init(_ id: Int, _ items: [Item] = []) {
        self.id = id
        self.items = items
    }

    static let schema = Schema<Bag>(
        name: "Bag",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.items, "items")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        items = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(items)
    }
}

/// Holds a bag or none.
struct BagOwner: Stored, Equatable {
    let id: Int
    var bag: Bag?

    init(_ id: Int, _ bag: Bag?) {
        self.id = id
        self.bag = bag
    }

    static let schema = Schema<BagOwner>(
        name: "BagOwner",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.bag, "bag")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        bag = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(bag)
    }
}
