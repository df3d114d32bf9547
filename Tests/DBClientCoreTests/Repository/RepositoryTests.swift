import DBClientCore
import DBClientTesting
import Testing

/// What an app shows of a character.
private struct Profile: Equatable {
    var id: Int
    var title: String
}

private struct Unmappable: Error {}

@Suite("Repositories")
struct RepositoryTests {
    private let client = InMemoryDBClient()
    private let heroes = (1...3).map { Character(identifier: $0, name: "Hero \($0)") }

    private var profiles: Repository<Character, Profile> {
        client.repository(for: Character.self).merged(
            decode: { character in
                if character.name == "unmappable" { throw Unmappable() }
                return Profile(id: character.identifier, title: character.name)
            },
            encode: { profile, existing in
                if profile.title == "refused" { throw Unmappable() }
                var character = existing ?? Character(identifier: profile.id, name: "")
                character.name = profile.title
                return character
            }
        )
    }

    @Test("A model is put, got and deleted")
    func plain() async throws {
        let repository = client.repository(for: Character.self)
        #expect(try await repository.putAll(heroes) == heroes)
        #expect(try await repository.get(key: 2) == heroes[1])
        #expect(try await repository.get(Character.where { $0.name.hasSuffix("3") }) == heroes[2])
        #expect(try await repository.getAll() == heroes)
        #expect(try await repository.getAll(keys: [3, 1]).map(\.identifier) == [3, 1])
        #expect(try await repository.getAll(Character.all.limit(1)) == [heroes[0]])
        var changed = heroes[0]
        changed.name = "changed"
        #expect(try await repository.put(changed) == changed)
        try await repository.delete(key: 1)
        try await repository.delete(heroes[1])
        #expect(try await repository.deleteAll(Character.all.limit(5)) == 1)
        try await repository.put(changed)
        #expect(try await repository.deleteAll() == 1)
    }

    @Test("What is not there is not found")
    func notFound() async throws {
        let repository = client.repository(for: Character.self)
        try await repository.put(heroes[0])
        func code(_ body: () async throws -> Void) async -> DBClientError.Code? {
            await #expect(throws: DBClientError.self) { try await body() }?.code
        }
        #expect(await code { _ = try await repository.get(key: 9) } == .notFound)
        #expect(
            await code { _ = try await repository.get(Character.all.offset(1)) } == .notFound
        )
        #expect(await code { _ = try await repository.getAll(keys: [1, 9]) } == .notFound)
        #expect(await code { try await repository.delete(key: 9) } == .notFound)
        #expect(await code { try await repository.delete(heroes[1]) } == .notFound)
        #expect(try await repository.deleteAll(Character.where { $0.identifier > 5 }) == 0)
    }

    @Test("A mapped value is merged with what is stored")
    func merging() async throws {
        var stored = heroes[0]
        stored.nickname = "kept"
        try await client.insert(stored)
        let put = try await profiles.put(Profile(id: 1, title: "new"))
        #expect(put == Profile(id: 1, title: "new"))
        stored.name = "new"
        #expect(try await client.find(Character.self, key: 1) == stored)
        try await profiles.put(Profile(id: 2, title: "second"))
        #expect(try await profiles.getAll().map(\.title) == ["new", "second"])
    }

    @Test("Mappings compose")
    func composing() async throws {
        let titles = profiles.mapped(
            decode: { $0.title },
            encode: { Profile(id: $0.count, title: $0) }
        )
        try await titles.putAll(["one", "three"])
        #expect(try await titles.get(key: 5) == "three")
        #expect(try await client.findAll(Character.self).map(\.identifier) == [3, 5])
        try await titles.delete("one")
        #expect(try await titles.getAll() == ["three"])
    }

    @Test("A mapping that throws midway undoes the call")
    func throwing() async throws {
        await #expect(throws: Unmappable.self) {
            try await profiles.putAll([
                Profile(id: 1, title: "a"), Profile(id: 2, title: "refused"),
            ])
        }
        await #expect(throws: Unmappable.self) {
            try await profiles.putAll([
                Profile(id: 1, title: "a"), Profile(id: 2, title: "unmappable"),
            ])
        }
        #expect(try await client.count(Character.all) == 0)
    }

    @Test("A key is found by other fields")
    func findKey() async throws {
        try await client.insert(heroes)
        #expect(try await client.findKey(of: Character.self) { $0.name == "Hero 2" } == 2)
        #expect(try await client.findKey(of: Character.self) { $0.name == "none" } == nil)
        #expect(try client.blocking.findKey(of: Character.self) { $0.identifier == 3 } == 3)
        let failure = await #expect(throws: DBClientError.self) {
            try await client.findKey(of: Character.self) { $0.identifier > 1 }
        }
        #expect(failure?.code == .invalidRequest)
    }
}
