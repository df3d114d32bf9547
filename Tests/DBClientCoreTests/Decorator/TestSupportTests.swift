import DBClientCore
import DBClientTesting
import Testing

@Suite("Support for tests")
struct TestSupportTests {
    private let heroes = (1...3).map { Character(identifier: $0, name: "Hero \($0)") }

    @Test("A spy tells every call by its shape, and never a value")
    func spy() async throws {
        let spy = SpyDBClient()
        try await spy.insert(heroes)
        try await spy.write { transaction in
            _ = try transaction.find(Character.self, key: 1)
            try transaction.update(Character.self, key: 1) { $0.set(\.power, to: 5) }
            try transaction.write { nested in
                _ = try nested.delete(Character.where { $0.name == "secret" || $0.power > 3 })
            }
        }
        let request = Character.where { !$0.name.hasPrefix("secret") && $0.power.isIn([1, 2]) }
            .sorted { [$0.name.descending, $0.power] }.limit(3).offset(1)
        _ = try await spy.fetch(request)
        _ = try await spy.fetch(Character.all.select(\.name))
        _ = try await spy.fetch(Character.all.grouped(by: \.power).select(.count))
        _ = try await spy.max(\.power, of: Character.all)
        try await spy.delete(Character.schema.entity, key: [3])
        #expect(
            spy.calls.map(\.shape) == [
                "insert Character (3)", "find Character (1)", "assign Character (1)", "savepoint",
                "deleteMatching Character where (name = ? or power > ?)",
                "fetch Character where not (name prefix ?) and power in ?(2)"
                    + " by name descending, power offset ? limit ?",
                "select Character name", "group Character power", "aggregate Character power",
                "delete Character (1)",
            ]
        )
        #expect(spy.writes.count == 5)
        let values = spy.calls[4].shapeWithValues
        #expect(values == #"deleteMatching Character where (name = "secret" or power > 3)"#)
        spy.forget()
        #expect(spy.calls.isEmpty)
    }

    @Test("Each call can be made to fail, and undoes its transaction")
    func failing() async throws {
        for number in 1...3 {
            let store = InMemoryDBClient()
            let client = FailingDBClient(store, atCall: number)
            let failure = await #expect(throws: DBClientError.self) {
                try await client.write { transaction in
                    for hero in heroes { try transaction.insert(hero) }
                }
            }
            #expect(failure?.code == .io)
            #expect(client.hasFailed)
            #expect(try await store.count(Character.all) == 0)
            // Only that one call fails.
            try await client.insert(heroes)
        }
        let client = FailingDBClient(atCall: 1) { $0.kind == .delete }
        try await client.insert(heroes)
        #expect(!client.hasFailed)
        await #expect(throws: DBClientError.self) { try await client.delete(heroes[0]) }
    }

    @Test("A store holds what is given, and is compared as it is stored")
    func expectations() async throws {
        let client = try InMemoryDBClient(holding: heroes)
        try await client.expectStored(Character.all, equal: heroes)
        var other = heroes
        other[1].name = "He\u{301}ro"
        try await client.update(other[1])
        other[1].name = "H\u{E9}ro"
        let failure = await #expect(throws: StoreExpectationFailure.self) {
            try await client.expectStored(Character.all, equal: other)
        }
        #expect(failure?.description.contains("+ Character(identifier: 2") == true)
        #expect(failure?.description.contains("- Character(identifier: 2") == true)
    }

    @Test("A request is pinned with its plan and its rows")
    func snapshots() async throws {
        let client = try InMemoryDBClient(holding: [Costumed(id: 1, name: "a"), Costumed(id: 2)])
        try await client.assertRequest(Costumed.where { $0.id > 1 }) {
            """
            look at all 2 rows of Costumed, sort those that match
            Costumed(id: 2, name: nil)
            """
        }
        let failure = await #expect(throws: StoreExpectationFailure.self) {
            try await client.assertRequest(Costumed.all.limit(1)) {
                """
                look at all 2 rows of Costumed, sort those that match
                Costumed(id: 2, name: nil)
                """
            }
        }
        #expect(failure?.difference.contains(#"+ Costumed(id: 1, name: "a")"#) == true)
        #expect(failure?.difference.contains("- Costumed(id: 2, name: nil)") == true)
    }
}

/// A model of two fields.
@Stored private struct Costumed {
    var id: Int
    var name: String?

    init(id: Int, name: String? = nil) {
        self.id = id
        self.name = name
    }
}
