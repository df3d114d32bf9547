import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

/// The map grows unseen by a unit of work, also by one that goes on after a write has failed.
@Suite struct MapGrowthTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aBodyThatCatchesErrorsSeesNone() throws {
        let client = try ObjectStoreDBClient(at: folder.store, mapSize: 1 << 20)
        var failures = 0
        try client.blocking.write { transaction in
            failures = 0
            for id in 0..<20_000 {
                do {
                    try transaction.insert(Note(id, "note \(id)"))
                } catch {
                    failures += 1
                }
            }
        }
        #expect(failures == 0)
        #expect(try client.blocking.fetch(Note.all).map(\.id) == Array(0..<20_000))
    }

    @Test func savepointsThatCatchErrorsSeeNone() throws {
        let client = try ObjectStoreDBClient(at: folder.store, mapSize: 1 << 20)
        try client.blocking.write { transaction in
            for first in stride(from: 0, to: 20_000, by: 100) {
                try? transaction.write { nested in
                    _ = try nested.insert((first..<first + 100).map { Note($0, "note \($0)") })
                }
            }
        }
        #expect(try client.blocking.count(Note.all) == 20_000)
    }

    @Test func unitsBesideOneThatCatchesErrorsAreKept() async throws {
        let client = try ObjectStoreDBClient(at: folder.store, mapSize: 1 << 20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for unit in 0..<40 {
                group.addTask {
                    try await client.write { transaction in
                        for id in unit * 1_000..<(unit + 1) * 1_000 {
                            _ = try? transaction.insert(Note(id, "note \(id)"))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try client.blocking.fetch(Note.all).map(\.id) == Array(0..<40_000))
    }
}
