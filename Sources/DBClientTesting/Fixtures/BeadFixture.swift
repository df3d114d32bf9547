import DBClientCore

/// Holds its own kind weakly, so that a key may name what is in another store alone.
struct Bead: Stored, Equatable {
    let id: Int
    var next: [Bead]

    init(_ id: Int, next: [Bead] = []) {
        self.id = id
        self.next = next
    }

    static let schema = Schema<Bead>(
        name: "Bead",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.next, "next", onDelete: .weak),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        next = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(next)
    }
}

/// A bead as a model has it that knows nothing of what it holds.
struct LoneBead: Stored, Equatable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }

    static let schema = Schema<LoneBead>(
        name: "Bead",
        fields: [.field(\.id, "id", primaryKey: .given)]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
    }
}
