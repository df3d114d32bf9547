import DBClientCore
import Testing

@Suite("Models that convert")
struct ModelConversionTests {
    private let client = FakeClient()

    /// Keeps every field but the name as it is stored.
    private struct Alias: StoredConvertible, Equatable {
        let id: Int
        var name: String
        var primaryKey: Int { id }

        init(_ id: Int, _ name: String) {
            self.id = id
            self.name = name
        }

        init(storage: Character) {
            self.init(storage.identifier, storage.name)
        }

        func storage(existing: Character?) -> Character {
            var character = existing ?? Character(identifier: id, name: name)
            character.name = name
            return character
        }
    }

    /// Does not ask for what is stored.
    private struct Stamp: StoredRepresentable, Equatable {
        let id: Int
        var primaryKey: Int { id }

        init(id: Int) { self.id = id }
        init(storage: Character) { id = storage.identifier }
        func storage() -> Character { Character(identifier: id, name: "Stamp") }
    }

    @Test("An upsert of any size reads what is stored in one call", arguments: [1, 10, 1_000])
    func upsertsInOneRead(_ count: Int) async throws {
        try await client.insert((0..<count / 2).map { Character(identifier: $0, name: "old") })
        let before = client.fake.calls.count
        let outcome = try await client.upsert((0..<count).map { Alias($0, "new") })
        #expect(client.fake.calls[before...] == ["get \(count)", "upsert \(count)"])
        #expect(outcome.updated.count == count / 2)
        #expect(outcome.inserted.count == count - count / 2)
    }

    @Test("An update reads what is stored in one call")
    func updatesInOneRead() async throws {
        try await client.insert((0..<20).map { Character(identifier: $0, name: "old") })
        let before = client.fake.calls.count
        try await client.update((0..<20).map { Alias($0, "new") })
        try await client.updateExisting((10..<30).map { Alias($0, "newer") })
        #expect(
            client.fake.calls[before...] == ["get 20", "update 20", "get 20", "update 10"]
        )
    }

    @Test("An insert reads nothing, and neither does a model that does not ask")
    func readsNothing() async throws {
        try await client.insert([Alias(1, "a"), Alias(2, "b")])
        try await client.upsert([Stamp(id: 2), Stamp(id: 3)])
        try await client.update([Stamp(id: 3)])
        #expect(client.fake.calls == ["insert 2", "upsert 2", "update 1"])
    }

    @Test("A stored model converts nothing")
    func storedIsDirect() async throws {
        let isDirect = try await client.read {
            Character.mapping(in: $0) is StoredMapping<Character>
        }
        #expect(isDirect)
        try await client.upsert([Character(identifier: 1, name: "a")])
        #expect(client.fake.calls == ["upsert 1"])
        #expect(client.fake.log == ["commit"])
    }

    @Test("A request of a model is the same to an engine as that of its storage")
    func requestsAreTheSame() throws {
        let request = Alias.where { $0.name.hasPrefix("a") && $0.power > 3 }
            .sorted { [$0.power.descending, $0.name] }.limit(5).offset(2)
        let same = Character.where { $0.name.hasPrefix("a") && $0.power > 3 }
            .sorted { [$0.power.descending, $0.name] }.limit(5).offset(2)
        #expect(try request.rowQuery() == same.rowQuery())
        #expect(try FetchRequest<Character>(request).rowQuery() == same.rowQuery())
    }

    @Test("What is wrong with a request is thrown for a model that converts too")
    func failuresAreKept() async throws {
        for request in [Alias.where { $0.shout == "A" }, Alias.all.limit(-1)] {
            await #expect(throws: DBClientError.self) { try await client.fetch(request) }
            #expect(throws: DBClientError.self) {
                try FetchRequest<Character>(request).rowQuery()
            }
        }
        #expect(client.fake.calls == [])
    }
}
