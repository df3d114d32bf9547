import DBClientCore
import DBClientTesting
import Foundation
import Testing

@testable import Snippets

struct CopyingTests {
    @Test func copiesAreEqual() async throws {
        let store = InMemoryDBClient()
        try await store.insert(Character.ironMan)
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("copy-\(UUID().uuidString).sqlite")
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
        }
        try await Copying.backUp(store, at: url)
        #expect(FileManager.default.fileExists(atPath: url.path))
        let server = InMemoryDBClient()
        try await Copying.move(from: store, to: server)
        try await Copying.merge(store, into: server)
        let copy = try await Copying.inMemory(from: server)
        #expect(try await copy.find(Character.self, key: 1455)?.realName == "Anthony Edward Stark")
    }
}
