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

    @Test func datesOfGRDBAreConvertedOnce() async throws {
        let client = try SQLDBClient.sqlite(.inMemory)
        try await client.execute(
            "CREATE TABLE hero (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, born DATETIME)"
        )
        try await client.execute(
            "INSERT INTO hero VALUES (1, '1970-01-02 00:00:01.789'), (2, NULL)"
        )
        for _ in 0..<2 { try await fromGRDBDates(on: client) }
        let stored = try await client.rows("SELECT born FROM hero WHERE id = 1")
        #expect(try stored.first?.value("born", as: Int.self) == 86_401_789_000)
        #expect(try await client.fetch(Born.all).map { $0.born != nil } == [true, false])
    }
}

@Stored("hero") private struct Born {
    @PrimaryKey(.generated) var id: Int = 0
    var born: Date?
}
