import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Synchronization
import Testing

/// What becomes of the write-ahead log while snapshots are read, and afterwards.
@Suite(.timeLimit(.minutes(15))) struct SnapshotAgeTests {
    private let folder: TemporaryFolder
    private static let limit = 256 << 10

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(
        _ change: (inout SQLiteConfiguration) -> Void = { _ in }
    ) throws -> SQLDBClient {
        var configuration = SQLiteConfiguration(durability: .relaxed)
        configuration.walLimit = Self.limit
        change(&configuration)
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        _ = try client.blocking.upsert((0..<50).map { Hero(id: $0, name: "A") })
        return client
    }

    private func write(_ bytes: Int, _ client: SQLDBClient) throws {
        for id in 0..<bytes / 10_000 {
            let badge = Data(repeating: UInt8(id % 256), count: 10_000)
            try client.blocking.upsert(Hero(id: id % 50, name: "B", badge: badge))
        }
    }

    /// It stayed as it was until the next write that found no reader at all.
    @Test func theLogIsEmptiedOnceASnapshotHasGone() throws {
        let client = try open()
        let writer = try open()
        try client.blocking.read { transaction in
            #expect(try transaction.find(Hero.self, key: 0)?.name == "A")
            try write(Self.limit * 6, writer)
            let held = try client.sqliteStatistics()
            #expect(held.logSize > Self.limit * 4)
            #expect(held.snapshotCount == 1)
            #expect(held.oldestSnapshotAge != nil)
            // What was written after the snapshot stays in the log for as long as it is held.
            #expect(try #require(held.pendingLogSize) > Self.limit)
            #expect(try transaction.find(Hero.self, key: 0)?.name == "A")
        }
        try waitUntil { try client.sqliteStatistics().logSize == 0 }
        #expect(try client.sqliteStatistics().oldestSnapshotAge == nil)
        #expect(try client.sqliteStatistics().pendingLogSize == 0)
        // The next one is held to the limit again.
        try write(Self.limit * 3, writer)
        #expect(try client.sqliteStatistics().logSize < Self.limit * 2)
        #expect(try client.blocking.count(Hero.all) == 50)
        try writer.close()
        try client.close()
    }

    /// A list that is shown for long made the log grow for as long.
    @Test func heldResultsGiveTheirSnapshotBackWhenTheLogHasGrown() throws {
        let client = try open()
        let results = try client.blocking.results(of: Hero.all)
        #expect(try results[0].name == "A")
        let generation = results.generation
        try write(Self.limit / 16, client)
        #expect(try client.sqliteStatistics().snapshotCount == 1)
        #expect(results.generation == generation)
        try waitUntil {
            try write(Self.limit / 8, client)
            return try client.sqliteStatistics().snapshotCount == 0
        }
        try waitUntil { try client.sqliteStatistics().logSize < Self.limit }
        #expect(try results[49].id == 49)
        #expect(results.generation == generation + 1)
        try client.close()
    }

    /// Some reader needed the log at every moment.
    @Test func theLogStaysSmallWhileShortReadsFollowEachOther() throws {
        let client = try open()
        let isDone = Atomic(false)
        let readers = DispatchGroup()
        let failures = Mutex<[any Error]>([])
        for _ in 0..<4 {
            DispatchQueue.global().async(group: readers) {
                while !isDone.load(ordering: .relaxed) {
                    do {
                        _ = try client.blocking.read { try $0.fetch(Hero.all) }
                    } catch {
                        failures.withLock { $0.append(error) }
                    }
                }
            }
        }
        var largest = 0
        for _ in 0..<40 {
            try write(Self.limit / 2, client)
            largest = max(largest, try client.sqliteStatistics().logSize)
        }
        isDone.store(true, ordering: .relaxed)
        readers.wait()
        #expect(failures.withLock { $0.isEmpty })
        #expect(largest < Self.limit * 3)
        try client.close()
    }

    @Test func aSnapshotIsHeldNoLongerThanAllowed() throws {
        let client = try open { $0.maximumSnapshotAge = .milliseconds(200) }
        let results = try client.blocking.results(of: Hero.all)
        let generation = results.generation
        let error = failure {
            try client.blocking.read { transaction in
                while true { _ = try transaction.fetch(Hero.all) }
            }
        }
        #expect(error?.code == .timeout)
        #expect(error?.hint?.contains("maximumSnapshotAge") == true)
        try waitUntil { try client.sqliteStatistics().snapshotCount == 0 }
        // The values are read anew.
        #expect(try results[0].name == "A")
        #expect(results.generation == generation + 1)
        // A read that takes as long as it may leaves nothing behind for the next.
        #expect(try client.blocking.read { try $0.count(Hero.all) } == 50)
        #expect(try client.blocking.count(Hero.all) == 50)
        try client.close()
    }

    @Test func anOldSnapshotThatKeepsTheLogIsTold() throws {
        let told = Mutex<[SQLiteStatistics]>([])
        let client = try open {
            $0.snapshotWarningAge = .milliseconds(100)
            $0.snapshotWarning = { statistics in told.withLock { $0.append(statistics) } }
        }
        let mayEnd = DispatchSemaphore(value: 0)
        let reads = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? client.blocking.read { transaction in
                _ = try transaction.count(Hero.all)
                reads.signal()
                mayEnd.wait()
            }
        }
        reads.wait()
        try write(Self.limit * 2, client)
        try waitUntil { told.withLock { !$0.isEmpty } }
        mayEnd.signal()
        let first = try #require(told.withLock { $0.first })
        #expect(first.snapshotCount == 1)
        #expect(first.logSize > Self.limit)
        #expect(try #require(first.oldestSnapshotAge) >= .milliseconds(100))
        try client.close()
    }

    @Test func aStoreInMemoryHasNoFile() throws {
        #expect(code { _ = try SQLDBClient.sqlite(.inMemory).sqliteStatistics() } == .unsupported)
    }
}
