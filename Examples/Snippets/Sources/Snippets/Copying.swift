import DBClientCore
import DBClientSQLite
import DBClientTesting
import Foundation

enum Copying {
    static func move(from store: any DBClient, to server: any DBClient) async throws {
        // snippet: copy
        let copied = try await server.copy(Character.self, Publisher.self, from: store) {
            print($0.entity, Int($0.fraction * 100), "%")
        }
        for entity in copied.entities { print(entity.name, entity.count) }
        // end snippet
    }

    static func merge(_ store: any DBClient, into archive: any DBClient) async throws {
        // snippet: copy-replace
        let merged = try await archive.copy(Character.self, from: store, onConflict: .replace)
        print(merged.inserted, "inserted,", merged.updated, "updated")
        // end snippet
    }

    static func backUp(_ store: any DBClient, at url: URL) async throws {
        // snippet: copy-backup
        let backup = try SQLDBClient.sqlite(at: url)
        try await backup.copy(Character.self, Publisher.self, from: store)
        try backup.close()
        // end snippet
    }

    static func inMemory(from store: any DBClient) async throws -> any DBClient {
        // snippet: copy-test
        let client = InMemoryDBClient()
        try await client.copy(Character.self, from: store)
        // end snippet
        return client
    }
}
