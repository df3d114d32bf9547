import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Testing

@testable import Snippets

struct ConvertibleTests {
    @Test func aProfileKeepsWhatItDoesNotKnow() async throws {
        let client = InMemoryDBClient()
        try await client.insert(Character.ironMan)
        try await profiles(on: client)
        var ironMan = try #require(try await client.find(Profile.self, key: 1455))
        ironMan.title = "Iron Man"
        #expect(try await client.upsert(ironMan).isUpdated)
        let stored = try await client.find(Character.self, key: 1455)
        #expect(stored?.firstAppearance.year == Character.ironMan.firstAppearance.year)
    }

    @Test func aTaskIsPackedInTheObjectStoreAlone() async throws {
        for client in [try ObjectStoreDBClient(.inMemory), InMemoryDBClient()] as [any DBClient] {
            try await client.insert(Task(identifier: 1, title: "Suit", isDone: true))
            #expect(try await client.count(Task.where { $0.title == "Suit" }) == 1)
            let packed = try await client.find(PackedTask.self, key: 1)
            #expect(packed?.marks == (client is ObjectStoreDBClient ? ["done"] : nil))
        }
    }
}
