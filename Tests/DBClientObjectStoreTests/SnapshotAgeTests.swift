import DBClientCore
import DBClientObjectStore
import Foundation
import Synchronization
import Testing

/// Snapshots that are held for long, and what they leave in the file.
@Suite(.timeLimit(.minutes(15))) struct SnapshotAgeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fill(_ client: ObjectStoreDBClient) throws {
        let text = String(repeating: "x", count: 200)
        try client.blocking.insert((0..<500).map { Note($0, text) })
    }

    private func rewrite(_ client: ObjectStoreDBClient, _ rounds: Int) throws {
        for round in 0..<rounds {
            try client.blocking.update(Note.all) { $0.set(\.weight, to: Double(round)) }
        }
    }

    @Test func theOldestSnapshotIsToldOfByItsAge() throws {
        let client = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        try fill(client)
        #expect(try client.statistics().oldestSnapshotAge == nil)
        try client.readBlocking { transaction in
            _ = try transaction.count(Note.all)
            try waitUntil { try client.statistics().oldestSnapshotAge ?? .zero > .milliseconds(50) }
        }
        #expect(try client.statistics().oldestSnapshotAge == nil)
    }

    @Test func aSnapshotIsHeldNoLongerThanAllowed() throws {
        let client = try ObjectStoreDBClient(
            at: folder.store,
            durability: .relaxed,
            maximumSnapshotAge: .milliseconds(200)
        )
        try fill(client)
        let results = try client.blocking.results(of: Note.all)
        let generation = results.generation
        let refusal = error {
            try client.blocking.read { transaction in
                while true { _ = try transaction.fetch(Note.all) }
            }
        }
        #expect(refusal?.code == .timeout)
        #expect(refusal?.hint?.contains("maximumSnapshotAge") == true)
        try waitUntil { try client.statistics().oldestSnapshotAge == nil }
        #expect(try results[0].id == 0)
        #expect(results.generation == generation + 1)
        #expect(try client.blocking.count(Note.all) == 500)
    }

    @Test func anOldSnapshotIsToldOfWithACommit() throws {
        let told = Mutex<[ObjectStoreStatistics]>([])
        let client = try ObjectStoreDBClient(
            at: folder.store,
            durability: .relaxed,
            snapshotWarningAge: .milliseconds(50),
            snapshotWarning: { statistics in told.withLock { $0.append(statistics) } }
        )
        try fill(client)
        #expect(told.withLock { $0.isEmpty })
        let writer = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        try client.blocking.read { transaction in
            #expect(try transaction.count(Note.all) == 500)
            try waitUntil {
                try rewrite(writer, 1)
                return told.withLock { !$0.isEmpty }
            }
        }
        let age = try #require(told.withLock { $0.first?.oldestSnapshotAge })
        #expect(age >= .milliseconds(50))
        try writer.close()
    }

    /// A list that is shown for long made the file grow for as long.
    @Test func heldResultsGiveTheirSnapshotBackWhenTheFileHasGrown() throws {
        let client = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        try fill(client)
        let results = try client.blocking.results(of: Note.all)
        #expect(try results[0].weight == 0)
        let generation = results.generation
        try rewrite(client, 3)
        #expect(try client.statistics().oldestSnapshotAge != nil)
        #expect(try results[499].weight == 0)
        let end = 32 << 20
        try waitUntil {
            try rewrite(client, 1)
            return try client.statistics().oldestSnapshotAge == nil
                || client.statistics().fileSize > end
        }
        #expect(try client.statistics().fileSize <= end)
        #expect(try results[250].id == 250)
        #expect(results.generation == generation + 1)
        try client.close()
    }

    @Test func whatASnapshotHasLeftIsGivenBackWhileTheStoreIsUsed() throws {
        let client = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        try fill(client)
        let writer = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        let titles = try client.blocking.fetch(Note.all).map(\.title)
        try client.readBlocking { transaction in
            _ = try transaction.count(Note.all)
            try rewrite(writer, 60)
            // What the snapshot has stays.
            try writer.compact()
            #expect(try transaction.fetch(Note.all).map(\.title) == titles)
            #expect(try transaction.fetch(Note.all).allSatisfy { $0.weight == 0 })
        }
        let before = try client.statistics()
        let given = try client.compact()
        let after = try client.statistics()
        #expect(given > before.diskSize / 2)
        #expect(after.diskSize * 4 < before.diskSize)
        #expect(after.fileSize <= before.fileSize)
        #expect(try client.blocking.fetch(Note.all).allSatisfy { $0.weight == 59 })
        try rewrite(client, 5)
        try writer.close()
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
        let again = try ObjectStoreDBClient(at: folder.store)
        #expect(try again.blocking.count(Note.where { $0.weight == 4 }) == 500)
        try again.close()
    }

    @Test func aStoreIsCompactedBesideReadersAndWriters() async throws {
        let client = try ObjectStoreDBClient(at: folder.store, durability: .relaxed)
        try fill(client)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in 0..<2 {
                group.addTask {
                    for round in 0..<100 {
                        let first = start * 250
                        try await client.update(
                            Note.where { $0.id >= first && $0.id < first + 250 }
                        ) { $0.set(\.weight, to: Double(round)) }
                    }
                }
                group.addTask {
                    for _ in 0..<100 {
                        let count = try await client.fetch(Note.all).count
                        #expect(count == 500)
                    }
                }
            }
            group.addTask {
                for _ in 0..<50 { try client.compact() }
            }
            try await group.waitForAll()
        }
        #expect(try await client.count(Note.where { $0.weight == 99 }) == 500)
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }
}
