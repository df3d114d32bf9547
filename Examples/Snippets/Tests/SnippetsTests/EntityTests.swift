import DBClientCore
import DBClientSQLite
import DBClientTesting
import Testing

@testable import Snippets

struct EntityTests {
    @Test func entitiesAreWrittenWithTheTransaction() async throws {
        var nobody = Character.ironMan
        nobody.realName = nil
        let client = InMemoryDBClient()
        try await client.insert(nobody)
        try await neutralise(on: client)
        #expect(try await client.find(Character.self, key: 1455)?.alignment == .neutral)
    }

    @Test func aSightingIsTwoRowsWithARelationalClient() async throws {
        let sightings = [
            Sighting(identifier: 1, place: "Malibu"), Sighting(identifier: 2, place: "New York"),
            Sighting(identifier: 3, place: "Malibu"),
        ]
        for client in [try SQLDBClient.sqlite(.inMemory), InMemoryDBClient()] as [any DBClient] {
            try await client.upsert(sightings)
            try await client.upsert(sightings[0])
            #expect(try await client.findAll(Sighting.self).map(\.place) == sightings.map(\.place))
            #expect(try await client.count(PlaceRow.all) == (client is SQLDBClient ? 2 : 0))
        }
    }
}
