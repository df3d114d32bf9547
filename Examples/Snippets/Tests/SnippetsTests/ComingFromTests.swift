import DBClientCore
import DBClientSQLite
import DBClientTesting
import Foundation
import Testing

@testable import Snippets

struct ComingFromTests {
    @Test func partsGoWithTheirOwner() async throws {
        let client = InMemoryDBClient()
        _ = try await relationships(on: client)
        let hiding = Power(name: "hiding", level: 1)
        try await client.insert(
            Fighter(id: 3, name: "Ghost", studio: nil, powers: [hiding], mentor: nil, rivals: [])
        )
        try await client.insert([
            Medal(name: "bronze", fighter: Reference(1)),
            Medal(name: "silver", fighter: Reference(2)),
        ])
        #expect(try await fromSwiftDataConditions(on: client) == [1, 2, 1, 1])
        try await fromSwiftDataDeleting(on: client)
        #expect(try await client.count(Medal.all) == 0)
        #expect(try await client.findAll(Power.self) == [hiding])
        #expect(try await client.findAll(Fighter.self).map(\.id) == [3])
    }

    @Test func nilDiffersFromEveryValue() async throws {
        let client = InMemoryDBClient()
        var hero = Character.ironMan
        hero.realName = nil
        try await client.insert(hero)
        #expect(try await fromGRDBAbsent(on: client) == [1, 0])
    }

    @Test func datesOfGRDBAreReadAsTheyAre() async throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try await client.execute(
            """
            CREATE TABLE hero (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, born DATETIME,
                badge TEXT, seen INTEGER)
            """
        )
        try await client.execute(
            """
            INSERT INTO hero VALUES (1, '1970-01-02 00:00:01.789',
                'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 86400), (2, NULL, NULL, NULL)
            """
        )
        let heroes = try await client.fetch(GRDBHero.all)
        #expect(heroes.map(\.born) == [Date(timeIntervalSince1970: 86_401.789), nil])
        #expect(heroes[0].badge == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(heroes[0].seen == Date(timeIntervalSince1970: 86_400))
        try await client.update(heroes)
        let stored = try await client.rows("SELECT born FROM hero WHERE id = 1")
        #expect(try stored.first?.value("born", as: String.self) == "1970-01-02 00:00:01.789")
    }
}
