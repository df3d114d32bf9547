import DBClientCore
import DBClientInMemory
import DBClientTesting
import Testing

/// What the store in memory finds by keys and indexes is what a look at all rows finds.
@Suite struct MemoryLookupTests {
    @Test func equalityOfAKeyOrAnIndexedFieldIsLookedUp() async throws {
        let client = InMemoryDBClient()
        try await client.insert(
            (0..<1_000).map { Shelved($0, shelf: $0 % 300, name: "n\($0 % 7)") }
        )
        func plan(_ request: FetchRequest<Shelved>) async throws -> String {
            try await client.explain(request)
        }
        let byKey = Shelved.where { $0.id.isIn([999, 3, 2_000, 3]) }
        #expect(try await plan(byKey).hasPrefix("look up rows of Shelved by id"))
        #expect(try await client.fetch(byKey).map(\.id) == [3, 999])
        let byShelf = Shelved.where { $0.shelf.isIn([7, 5]) && $0.name == "n0" }
        #expect(try await plan(byShelf).hasPrefix("look up rows of Shelved by shelf"))
        let expected = (0..<1_000).filter { [7, 5].contains($0 % 300) && $0 % 7 == 0 }
        #expect(try await client.fetch(byShelf).map(\.id) == expected)
        let byName = Shelved.where { $0.name == "n1" }
        #expect(try await plan(byName).hasPrefix("look at all 1000 rows of Shelved"))
        let either = Shelved.where { $0.id == 1 || $0.shelf == 2 }
        #expect(try await plan(either).hasPrefix("look at all"))
        #expect(try await client.fetch(either).map(\.id) == [1, 2, 302, 602, 902])
    }

    @Test func anIndexFollowsWritesAndSnapshots() async throws {
        let client = InMemoryDBClient()
        try await client.insert((0..<600).map { Shelved($0, shelf: $0 / 300, name: "a") })
        let first = Shelved.where { $0.shelf == 0 }
        #expect(try await client.count(first) == 300)
        try await client.update(Shelved.where { $0.id < 200 }) { $0.set(\.shelf, to: 1) }
        #expect(try await client.fetch(first).map(\.id) == Array(200..<300))
        try await client.delete(Shelved.where { $0.shelf == 1 })
        #expect(try await client.count(Shelved.where { $0.shelf == 1 }) == 0)
        let undone: Void? = try? await client.write { transaction in
            try transaction.delete(first)
            #expect(try transaction.count(first) == 0)
            throw DBClientError(.invalidValue, "It is undone.")
        }
        #expect(undone == nil)
        #expect(try await client.count(first) == 100)
    }
}

/// A value on a shelf.
@Stored struct Shelved {
    let id: Int
    @Indexed var shelf: Int
    var name: String

    init(_ id: Int, shelf: Int, name: String) {
        self.id = id
        self.shelf = shelf
        self.name = name
    }
}
