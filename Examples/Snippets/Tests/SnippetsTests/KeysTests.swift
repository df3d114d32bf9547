import DBClientCore
import DBClientTesting
import Foundation
import Testing

@testable import Snippets

struct KeysTests {
    @Test func keysAreMadeWhereTheyAreZero() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Quota(urgency: .high, missions: 3))
        let start = Date(timeIntervalSince1970: 0)
        let (mission, entry, quota) = try await keys(on: client, start)
        #expect(mission.id != .unset)
        #expect(entry.number == 1)
        #expect(quota?.missions == 3)
        let entity = Mission.schema.entity
        #expect(entity.fields.map(\.name) == ["id", "urgency", "mission_title", "start"])
        #expect(entity.indexes.map(\.isUnique) == [false, true])
    }
}
