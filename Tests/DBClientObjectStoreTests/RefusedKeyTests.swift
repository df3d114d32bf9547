import DBClientCore
import DBClientObjectStore
import Testing

/// The counter of made keys, beside rows that are refused.
@Suite struct RefusedKeyTests {
    @Test("A refused row with the largest key leaves keys to be made")
    func largestKey() throws {
        let client = try ObjectStoreDBClient(.inMemory)
        try client.blocking.insert(Badge(1, "taken"))
        try client.blocking.write { transaction in
            for key in [Int.max, .max - 1] {
                #expect(throws: DBClientError.self) {
                    try transaction.insert(Badge(key, "taken"))
                }
                #expect(throws: DBClientError.self) {
                    try transaction.upsert(Badge(key, "taken"))
                }
            }
            #expect(try transaction.insert(Badge(0, "free")).id == 2)
            try transaction.insert(Badge(7, "given"))
        }
        #expect(try client.blocking.insert(Badge(0, "next")).id == 8)
    }
}

private struct Badge: Stored, Equatable {
    let id: Int
    var name: String

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }

    static let schema = Schema<Badge>(
        name: "Badge",
        fields: [
            .field(\.id, "id", primaryKey: .generated),
            .field(\.name, "name", index: .unique),
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
