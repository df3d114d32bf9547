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

@Stored private struct Badge: Equatable {
    @PrimaryKey(.generated) let id: Int
    @Unique var name: String

    init(_ id: Int, _ name: String) {
        self.id = id
        self.name = name
    }
}
