import DBClientCore
import DBClientSQL
import DBClientSQLite
import Dispatch
import Foundation
import Synchronization
import Testing

/// What becomes of the write-ahead log.
@Suite struct WriteAheadLogTests {
    /// 1,200 pages and more, which a commit brings into the log.
    private static let badge = Data(repeating: 7, count: 5 << 20)

    @Test func theLogIsCopiedAfterACommitAndBegunAnew() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        defer { try? client.close() }
        try client.blocking.insert(Hero(id: 1, name: "A", badge: Self.badge))
        try waitUntil { try folder.store.size > Self.badge.count }
        // Once all of it was copied, a write begins the log anew. What comes while the copy ends has few pages,
        // far from the next thousand, which the writer then copies itself.
        let isBegunAnew = try (1...100).contains { _ in
            Thread.sleep(forTimeInterval: 0.02)
            try client.blocking.upsert(Hero(id: 2, name: "B"))
            return try commitsInLog(of: folder.store) == 1
        }
        #expect(isBegunAnew)
        let size = try folder.store.logSize
        try client.blocking.insert(Hero(id: 3, name: "C", badge: Self.badge))
        let again = try folder.store.logSize
        #expect(again < size + size / 4)
    }

    @Test func theLogStaysShortWhileWritesFollowEachOther() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store, durability: .relaxed)
        defer { try? client.close() }
        var largest = 0
        for id in 1...120 {
            try client.blocking.upsert(
                Hero(id: id % 8, name: "A", badge: Data(repeating: UInt8(id), count: 1 << 20))
            )
            largest = max(largest, try folder.store.logSize)
        }
        // 4,000 pages, the commit that passes them, and what is written before they are all copied.
        #expect(largest < 24 << 20)
    }

    /// A writer that never pauses leaves no moment at which all of the log was copied beside it.
    @Test func theLogStaysShortWhileSmallWritesFollowEachOther() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        defer { try? client.close() }
        var largest = 0
        for id in 1...900 {
            let badge = Data(repeating: UInt8(id % 256), count: 20_000)
            try client.blocking.upsert(Hero(id: id % 8, name: "A", badge: badge))
            largest = max(largest, try folder.store.logSize)
        }
        // All of them are 5,400 pages; at 4,000 the writer waits.
        #expect(largest < 3_000 * 4_096)
    }

    /// What a reader needs stays in the log, and is copied once it has ended.
    @Test func aSnapshotKeepsItsRows() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        defer { try? client.close() }
        try client.blocking.insert(Hero(id: 1, name: "A"))
        let names = try client.blocking.read { transaction in
            let before = try transaction.find(Hero.self, key: 1)?.name
            let writer = DispatchGroup()
            DispatchQueue.global().async(group: writer) {
                for name in ["B", "C", "D", "E", "F"] {
                    _ = try? client.blocking.upsert(Hero(id: 1, name: name, badge: Self.badge))
                }
            }
            writer.wait()
            return [before, try transaction.find(Hero.self, key: 1)?.name]
        }
        #expect(names == ["A", "A"])
        #expect(try client.blocking.find(Hero.self, key: 1)?.name == "F")
        try client.blocking.upsert(Hero(id: 2, name: "G", badge: Self.badge))
        try waitUntil { try folder.store.size > 2 * Self.badge.count }
    }

    @Test func aClientThatIsClosedAtOnceLeavesNoLog() throws {
        let folder = try TemporaryFolder()
        for round in 1...10 {
            let client = try SQLDBClient.sqlite(at: folder.store)
            try client.blocking.upsert(Hero(id: round, name: "A", badge: Self.badge))
            try client.close()
            #expect(!FileManager.default.fileExists(atPath: folder.store.path + "-wal"))
        }
        let client = try SQLDBClient.sqlite(at: folder.store)
        #expect(try client.blocking.count(Hero.all) == 10)
        try client.close()
    }

    /// Copying opens the file by its path, once there is something to copy.
    @Test func aFileThatWasRemovedIsNotMadeAgain() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try FileManager.default.removeItem(at: folder.store)
        for id in 2...6 {
            #expect(
                code { try client.blocking.insert(Hero(id: id, name: "B", badge: Self.badge)) }
                    == .io
            )
        }
        #expect(code { try client.close() } == .io)
        #expect(!FileManager.default.fileExists(atPath: folder.store.path))
    }

    /// The log was emptied only where a commit found no reader at all, and grew until the disk was full.
    @Test func theLogStaysSmallWhileReadsOverlap() throws {
        let folder = try TemporaryFolder()
        var configuration = SQLiteConfiguration(durability: .relaxed)
        configuration.walLimit = 1 << 20
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        try client.blocking.insert(Hero(id: 0, name: "A"))
        let isDone = Mutex(false)
        let readers = DispatchGroup()
        for number in 0..<4 {
            readers.enter()
            Thread.detachNewThread {
                defer { readers.leave() }
                // Each begins a while after the one before, so that there is a reader at any time.
                Thread.sleep(forTimeInterval: Double(number) * 0.012)
                while !isDone.withLock({ $0 }) {
                    try? client.blocking.read { transaction in
                        _ = try transaction.count(Hero.all)
                        Thread.sleep(forTimeInterval: 0.05)
                    }
                }
            }
        }
        defer { try? client.close() }
        var largest = 0
        for id in 1...40 {
            let badge = Data(repeating: UInt8(id), count: 1 << 20)
            try client.blocking.insert(Hero(id: id, name: "B", badge: badge))
            largest = max(largest, try folder.store.logSize)
        }
        isDone.withLock { $0 = true }
        readers.wait()
        #expect(largest < 4 << 20)
    }
}

extension URL {
    fileprivate var size: Int {
        get throws {
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        }
    }

    /// The size of the write-ahead log of a store at this place.
    fileprivate var logSize: Int {
        get throws { try URL(fileURLWithPath: path + "-wal").size }
    }
}
