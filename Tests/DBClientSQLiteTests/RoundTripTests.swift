import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: [true, false])
    func everyVerbRoundTrips(inMemory: Bool) throws {
        let folder = try TemporaryFolder()
        let client = inMemory ? try SQLDBClient.sqlite(.inMemory) : try .sqlite(at: folder.store)
        let blocking = client.blocking
        #expect(try blocking.fetch(Hero.all).isEmpty)
        let iron = Hero(
            id: 1,
            name: "Iron Man",
            team: "Avengers",
            power: 9,
            aliases: ["Tony", "Shell\"head"]
        )
        let thor = Hero(id: 2, name: "Thor", power: 10, isActive: false, badge: Data())
        try blocking.insert([iron, thor])
        #expect(try blocking.find(Hero.self, key: 1) == iron)
        #expect(try blocking.find(Hero.self, key: 2) == thor)
        #expect(try blocking.fetch(Hero.where { $0.name.hasPrefix("Iron") }) == [iron])
        #expect(try blocking.fetch(Hero.where { $0.team == nil }) == [thor])
        #expect(try blocking.fetch(Hero.where { $0.team != "Avengers" }) == [thor])
        #expect(try blocking.fetch(Hero.where { !($0.team == "X") }) == [iron, thor])
        #expect(try blocking.fetch(Hero.where { $0.aliases.contains("Shell\"head") }) == [iron])
        #expect(try blocking.fetch(Hero.all.sorted { [$0.power.descending] }.limit(1)) == [thor])
        #expect(try blocking.fetch(Hero.all.offset(1)) == [thor])
        let outcome = try blocking.upsert([thor, Hero(id: 3, name: "Hulk")])
        #expect(outcome.updated == [thor] && outcome.inserted.map(\.id) == [3])
        try blocking.update(Hero.self, key: 3) { $0.set(\.team, to: "Avengers") }
        #expect(try blocking.count(Hero.where { $0.team == "Avengers" }) == 2)
        #expect(try blocking.count(Hero.all.limit(2)) == 2)
        #expect(try blocking.sum(\Hero.id, of: Hero.all) == 6)
        #expect(try blocking.average(\Hero.power, of: Hero.all) == 19.0 / 3)
        #expect(try blocking.max(\Hero.name, of: Hero.all) == "Thor")
        #expect(try blocking.distinct(\Hero.team, of: Hero.all) == [nil, "Avengers"])
        #expect(try blocking.delete(Hero.where { $0.power > 5 }.limit(1)) == 1)
        #expect(try blocking.delete(Hero.self, key: 2))
        #expect(try blocking.fetch(Hero.all).map(\.id) == [3])
        try client.close()
        try client.close()
        #expect(throws: DBClientError.self) { try blocking.fetch(Hero.all) }
    }

    /// A statement expects what it found before; an array that gets less keeps no room for it.
    @Test func aFewRowsAfterManyTakeLittleRoom() throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try client.blocking.insert((1...5_000).map { Hero(id: $0, name: "A") })
        func found(from id: Int) throws -> [Hero] {
            try client.blocking.fetch(Hero.where { $0.id >= id })
        }
        for _ in 1...2 { #expect(try found(from: 1).count == 5_000) }
        let few = try found(from: 4_998)
        #expect(few.map(\.id) == [4_998, 4_999, 5_000])
        #expect(few.capacity < 100)
        #expect(try found(from: 6_000).isEmpty)
        #expect(try found(from: 1).map(\.id) == Array(1...5_000))
    }
}
