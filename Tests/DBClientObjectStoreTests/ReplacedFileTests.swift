import DBClientCore
import Foundation
import Synchronization
import Testing

@testable import DBClientObjectStore

/// A store's file that is deleted or replaced while a client has it open, and its locks stay: what was opened under
/// its name next had them in common with what was open, and either could lose the other's commits.
@Suite struct ReplacedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func deleteFile() throws {
        try FileManager.default.removeItem(at: folder.store)
    }

    @Test func aDeletedStoreIsOpenedAgainOnceItIsClosed() throws {
        let old = try ObjectStoreDBClient(at: folder.store)
        try old.blocking.insert(Note(1, "one"))
        try deleteFile()
        let refusal = error { _ = try ObjectStoreDBClient(at: folder.store) }
        #expect(refusal?.code == .invalidRequest)
        #expect(refusal?.hint != nil)
        #expect(!FileManager.default.fileExists(atPath: folder.store.path))
        #expect(try old.blocking.fetch(Note.all) == [Note(1, "one")])
        #expect(error { try old.close() }?.code == .io)
        let new = try ObjectStoreDBClient(at: folder.store)
        #expect(try new.blocking.count(Note.all) == 0)
        try new.blocking.insert(Note(2, "two"))
        try new.close()
        let reopened = try ObjectStoreDBClient(at: folder.store)
        #expect(try reopened.blocking.fetch(Note.all) == [Note(2, "two")])
    }

    @Test func aReplacedStoreIsOpenedOnceTheOldOneIsClosed() throws {
        let other = folder.url.appendingPathComponent("other.store")
        let made = try ObjectStoreDBClient(at: other)
        try made.blocking.insert(Note(3, "three"))
        try made.close()
        let old = try ObjectStoreDBClient(at: folder.store)
        try old.blocking.insert(Note(1, "one"))
        #expect(rename(other.path, folder.store.path) == 0)
        #expect(error { _ = try ObjectStoreDBClient(at: folder.store) }?.code == .invalidRequest)
        #expect(error { try old.blocking.insert(Note(2, "two")) }?.code == .io)
        #expect(error { try old.close() }?.code == .io)
        let new = try ObjectStoreDBClient(at: folder.store)
        #expect(try new.blocking.fetch(Note.all) == [Note(3, "three")])
    }

    @Test func aMovedStoreIsUsedUnderItsNewNameAlone() throws {
        let moved = folder.url.appendingPathComponent("moved.store")
        let old = try ObjectStoreDBClient(at: folder.store)
        try old.blocking.insert(Note(1, "one"))
        try FileManager.default.moveItem(at: folder.store, to: moved)
        let refusal = error { _ = try ObjectStoreDBClient(at: folder.store) }
        // Otherwise what follows may never end.
        try #require(refusal?.code == .invalidRequest)
        #expect(error { _ = try ObjectStoreDBClient(at: moved) }?.code == .invalidRequest)
        #expect(error { try old.blocking.insert(Note(2, "two")) }?.code == .io)
        #expect(error { try old.close() }?.code == .io)
        let same = try ObjectStoreDBClient(at: moved)
        try same.blocking.insert(Note(3, "three"))
        #expect(try same.blocking.fetch(Note.all).map(\.id) == [1, 3])
        try same.close()
    }

    @Test func aWriteToADeletedFileIsRefused() async throws {
        let client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert(Note(1, "one"))
        try deleteFile()
        #expect(error { try client.blocking.insert(Note(2, "two")) }?.code == .io)
        let failure = await #expect(throws: DBClientError.self) {
            try await client.insert(Note(2, "two"))
        }
        #expect(failure?.code == .io)
        #expect(failure?.hint != nil)
        #expect(try await client.fetch(Note.all) == [Note(1, "one")])
        #expect(error { try client.close() }?.code == .io)
        try client.close()
    }

    /// Observers went on showing what the old file had.
    @Test(
        "Observers learn that the file was lost, and results keep what they had",
        arguments: [(true, false), (true, true), (false, false), (false, true)]
    )
    func observedFile(isReplaced: Bool, isWrittenTo: Bool) async throws {
        let other = folder.url.appendingPathComponent("other.store")
        let made = try ObjectStoreDBClient(at: other)
        try made.blocking.insert(Note(7, "other"))
        try made.close()
        let client = try ObjectStoreDBClient(at: folder.store)
        let notes = (1...3).map { Note($0, "one") }
        try await client.insert(notes)
        let results = try client.blocking.results(of: Note.all)
        var changes = client.observe(Note.all).makeAsyncIterator()
        var counts = client.observeCount(Note.all).makeAsyncIterator()
        _ = try await changes.next()
        #expect(try await counts.next() == 3)
        if isReplaced {
            #expect(rename(other.path, folder.store.path) == 0)
        } else {
            try deleteFile()
        }
        if isWrittenTo {
            #expect(error { try client.blocking.insert(Note(4, "four")) }?.code == .io)
        }
        var codes: [DBClientError.Code?] = []
        do { _ = try await changes.next() } catch { codes.append((error as? DBClientError)?.code) }
        do { _ = try await counts.next() } catch { codes.append((error as? DBClientError)?.code) }
        #expect(codes == [.io, .io])
        #expect(try (0..<3).map { try results[$0] } == notes)
        #expect(error { try client.close() }?.code == .io)
        let new = try ObjectStoreDBClient(at: folder.store)
        #expect(try new.blocking.fetch(Note.all).map(\.id) == (isReplaced ? [7] : []))
        try new.close()
    }

    /// A copy over the file has its place, its locks and its name.
    @Test(arguments: [1, 5]) func aFileThatACopyWasWrittenOverIsNotWrittenTo(commits: Int) throws {
        let other = folder.url.appendingPathComponent("other.store")
        let made = try ObjectStoreDBClient(at: other)
        for id in 0..<commits { try made.blocking.insert(Note(id + 10, "other")) }
        try made.close()
        let old = try ObjectStoreDBClient(at: folder.store)
        for id in 1...3 { try old.blocking.insert(Note(id, "one")) }
        let copy = try Data(contentsOf: other)
        let file = try FileHandle(forUpdating: folder.store)
        try file.write(contentsOf: copy)
        try file.close()
        // Where it is longer than the copy.
        #expect(truncate(folder.store.path, max(copy.count, try size(of: folder.store))) == 0)
        let content = try Data(contentsOf: folder.store)
        #expect(error { try old.blocking.insert(Note(4, "four")) }?.code == .io)
        #expect(error { try old.close() }?.code == .io)
        #expect(try Data(contentsOf: folder.store) == content)
        let new = try ObjectStoreDBClient(at: folder.store)
        #expect(try new.blocking.fetch(Note.all).map(\.id) == Array(10..<10 + commits))
        try new.close()
    }

    private func size(of url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.size] as? Int)
    }

    @Test func aStoreThatIsBeingClosedIsWaitedFor() throws {
        let old = try ObjectStoreDBClient(at: folder.store)
        let engine = old.session.engine
        let mayEnd = DispatchSemaphore(value: 0)
        let writes = DispatchSemaphore(value: 0)
        let hasOpened = DispatchSemaphore(value: 0)
        let opened = Mutex<Result<ObjectStoreDBClient, any Error>?>(nil)
        Thread.detachNewThread {
            try? old.blocking.write { transaction in
                try transaction.insert(Note(1, "one"))
                writes.signal()
                mayEnd.wait()
            }
        }
        writes.wait()
        Thread.detachNewThread { try? old.close() }
        while error(of: { _ = try old.blocking.count(Note.all) })?.code != .closed {}
        try waitUntil { EnvironmentRegistry.isClosing(engine) }
        try deleteFile()
        let url = folder.store
        Thread.detachNewThread {
            let result = Result { try ObjectStoreDBClient(at: url) }
            opened.withLock { $0 = result }
            hasOpened.signal()
        }
        // That it waits shows only in time.
        let isOpened = hasOpened.wait(timeout: .now() + .milliseconds(100)) == .success
        mayEnd.signal()
        try #require(!isOpened)
        hasOpened.wait()
        let new = try #require(try opened.withLock { $0 }?.get())
        #expect(try new.blocking.count(Note.all) == 0)
    }
}
