import DBClientCore
import DBClientObjectStore
import Foundation
import StoreEntry
import Testing

/// A process that is killed when its commit is in the file and LMDB's readers have not been told.
///
/// Where another process had the store open, no process saw the commit until the next write, at whatever later
/// time.
@Suite(.enabled(if: isPossible, "Only on Linux is a process killed where it shall be."))
struct DeadWriterTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func ids(_ client: ObjectStoreDBClient) throws -> [Int] {
        try client.blocking.fetch(Entry.all).map(\.id)
    }

    @Test func theNextReaderSeesItsCommit() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        for id in stride(from: 10, through: 100, by: 10) {
            _ = try ids(client)
            _ = try Child("die-after-commit", folder.store.path, "\(id)").waitForLines()
            let seen = try ids(client)
            #expect(seen.suffix(2) == [id, id + 1])
            try client.blocking.insert(Entry(-id))
            #expect(try ids(client).filter { $0 > 0 } == seen.filter { $0 > 0 })
        }
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }

    @Test func aProcessThatOpensTheStoreSeesItsCommit() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Entry(1))
        _ = try Child("die-after-commit", folder.store.path, "10").waitForLines()
        #expect(try Child("ids", folder.store.path).waitForLines() == ["1 10 11"])
        #expect(try ids(client) == [1, 10, 11])
        try client.close()
    }

    /// A process that lives has its locks, and its commit is seen when it is durable.
    @Test func aWriterThatLivesIsLeftAlone() throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        let child = try Child("object-store", folder.store.path, "1", "300")
        var last = 0
        while last < 300 {
            let count = try client.blocking.count(Entry.all)
            #expect(count >= last)
            last = count
        }
        #expect(child.waitForAcknowledged() == Array(1...300))
        try client.close()
        try ObjectStoreDBClient.verify(at: folder.store)
    }
}

#if os(Linux)
private let isPossible = true
#else
private let isPossible = false
#endif
