import DBClientCore
import Foundation
import Testing

@Suite("A client's calls without a transaction of one's own")
struct ConvenienceTests {
    private let client: any DBClient = FakeClient()
    private let heroes = (1...5).map { number in
        var hero = Character(identifier: number, name: "Hero \(number % 2)")
        hero.power = number == 3 ? nil : number
        return hero
    }

    @Test("Reading")
    func reading() async throws {
        try await client.insert(heroes)
        let odd = Character.where { $0.name == "Hero 1" }
        #expect(try await client.find(Character.self, key: 2) == heroes[1])
        #expect(try await client.find(Character.self, key: 9) == nil)
        #expect(try await client.find(Character.self, keys: [3, 9, 1]) == [heroes[2], heroes[0]])
        #expect(try await client.findAll(Character.self) == heroes)
        #expect(try await client.fetch(odd).map(\.identifier) == [1, 3, 5])
        #expect(try await client.fetchOne(odd.offset(1)) == heroes[2])
        #expect(try await client.fetchOne(odd.limit(0)) == nil)
        #expect(try await client.count(odd) == 3)
        #expect(try await client.exists(odd))
        #expect(try await !client.exists(odd.offset(3)))
        #expect(try await client.exists(Character.self, key: 1))
        #expect(try await !client.exists(Character.self, key: 9))
        #expect(try await client.distinct(\.name, of: Character.all) == ["Hero 0", "Hero 1"])
        #expect(try await client.distinct(\.power, of: odd) == [nil, 1, 5])
        #expect(try await client.explain(odd) == "scan of Character")
    }

    @Test("Aggregates leave out absent values, through embedded structs too")
    func aggregates() async throws {
        let none = Character.where { $0.identifier > 9 }
        try await client.insert(heroes)
        #expect(try await client.min(\.identifier, of: Character.all) == 1)
        #expect(try await client.max(\.power, of: Character.all) == 5)
        #expect(try await client.min(\.power, of: none) == nil)
        #expect(try await client.max(\.name, of: Character.all) == "Hero 1")
        #expect(try await client.sum(\.power, of: Character.all) == 12)
        #expect(try await client.sum(\.identifier, of: none) == 0)
        #expect(try await client.average(\.power, of: Character.all) == 3)
        #expect(try await client.average(\.power, of: none) == nil)
        #expect(try await client.max(\.debut.year, of: Character.all) == 1_963)
        #expect(try await client.aggregate(.maximum, \.power, of: Character.all) == .integer(5))
        let client = client.blocking
        #expect(failure { try client.average(\.name, of: Character.all) }?.code == .invalidRequest)
        #expect(failure { try client.average(\.shout, of: Character.all) }?.code == .invalidRequest)
    }

    @Test("Writing")
    func writing() async throws {
        #expect(try await client.insert(heroes[0]) == heroes[0])
        #expect(try await client.insert(Array(heroes[1...])) == Array(heroes[1...]))
        var changed = heroes
        for index in changed.indices { changed[index].power = 9 }
        try await client.update(changed[0])
        try await client.update(Array(changed[1...2]))
        #expect(try await client.updateExisting([changed[3]]) == [changed[3]])
        #expect(try await client.upsert(changed[4]).isUpdated)
        #expect(try await client.upsert(changed).updated.count == 5)
        #expect(try await client.findAll(Character.self) == changed)
        try await client.update(Character.self, key: 1) { $0.set(\.power, to: 1) }
        #expect(
            try await client.update(Character.where { $0.power == 9 }) { $0.set(\.power, to: 2) }
                == 4
        )
        #expect(try await client.sum(\.power, of: Character.all) == 9)
        #expect(try await client.delete(heroes[0]))
        #expect(try await client.delete(Array(heroes[0...1])) == 1)
        #expect(try await client.delete(Character.self, key: 3))
        #expect(try await client.delete(Character.self, keys: [3, 4]) == 1)
        #expect(try await client.delete(Character.where { $0.identifier == 9 }) == 0)
        #expect(try await client.deleteAll(Character.self) == 1)
    }

    @Test("The blocking view reads and writes the same store")
    func blocking() async throws {
        try client.blocking.insert(heroes)
        #expect(try await client.count(Character.all) == 5)
        #expect(try client.blocking.fetch(Character.all) == heroes)
        #expect(try client.blocking.find(Character.self, keys: [2, 1]) == [heroes[1], heroes[0]])
        #expect(try client.blocking.fetchOne(Character.all.offset(1)) == heroes[1])
        #expect(try client.blocking.sum(\.power, of: Character.all) == 12)
        #expect(try client.blocking.max(\.power, of: Character.all) == 5)
        #expect(try client.blocking.min(\.identifier, of: Character.all) == 1)
        #expect(try client.blocking.distinct(\.name, of: Character.all).count == 2)
        #expect(try client.blocking.exists(Character.self, key: 5))
        var seen: [Int] = []
        try client.blocking.forEach(Character.all) {
            seen.append($0.identifier)
            return seen.count < 2
        }
        #expect(seen == [1, 2])
        #expect(try client.blocking.read { try $0.count(Character.all) } == 5)
        #expect(try client.blocking.write { try $0.deleteAll(Character.self) } == 5)
    }
}
