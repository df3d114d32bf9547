import DBClientCore
import Foundation
import StoreEntry
import Testing
import TrustRow

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A store's file that is deleted, replaced, moved or put back while a client has it open: the same rules for every
/// engine that keeps files.
///
/// What was acknowledged is in the file that the client had open, or that was put in its place; a write that cannot be
/// there is refused as `.io` with a hint; and what was put in the file's place has its own rows and no other.
@Suite(.serialized) struct LostFileTests {
    enum Event: String, CaseIterable, Sendable {
        case deleted, deletedWithItsCompanions, replaced, deletedAndRestored, copiedOver, moved,
            movedAndPutBack

        /// Those after which the file has its former content and no other.
        static let keepingContent = allCases.filter { $0 != .copiedOver }

        /// Whether a write is refused after it.
        var refusesWrites: Bool { self != .movedAndPutBack }
    }

    private static let own = Array(1...10)
    private static let others = Array(101...105)
    private let folder: TemporaryFolder
    private let manager = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
    }

    private var backup: URL { folder.url.appendingPathComponent("backup.store") }
    private var moved: URL { folder.url.appendingPathComponent("moved.store") }

    @Test(
        .counts(for: "R20", part: "files"),
        arguments: ProcessTests.Engine.allCases,
        Event.allCases
    )
    func noAcknowledgedWriteGoesAstray(engine: ProcessTests.Engine, event: Event) throws {
        let other = try engine.open(backup)
        try other.blocking.insert(Self.others.map { Entry($0) })
        try other.close()
        let client = try engine.open(folder.store)
        // In more commits than the backup has: of as many, a copy over the file can look like its own newest commit.
        for id in Self.own { try client.blocking.insert(Entry(id)) }
        #expect(try client.blocking.count(Entry.all) == 10)
        try perform(event)
        var failure: DBClientError?
        do { try client.blocking.insert(Entry(11)) } catch { failure = error as? DBClientError }
        #expect((failure != nil) == event.refusesWrites)
        if let failure {
            #expect(failure.code == .io)
            #expect(failure.hint != nil)
        }
        var refusal: DBClientError?
        do { try client.close() } catch { refusal = error as? DBClientError }
        #expect(refusal?.code == (event.refusesWrites ? .io : nil))
        if event.refusesWrites { #expect(refusal?.hint != nil) }
        let acknowledged = Self.own + (failure == nil ? [11] : [])
        switch event {
        case .deleted, .deletedWithItsCompanions:
            #expect(try ids(engine, folder.store) == [])
        case .replaced, .deletedAndRestored, .copiedOver:
            #expect(try ids(engine, folder.store) == Self.others)
        case .moved:
            #expect(try ids(engine, moved) == acknowledged)
            #expect(try ids(engine, folder.store) == [])
        case .movedAndPutBack: #expect(try ids(engine, folder.store) == acknowledged)
        }
    }

    @Test(
        "Reads go on, and observers end where writes are refused",
        .counts(for: "R20", part: "files"),
        arguments: ProcessTests.Engine.allCases,
        Event.keepingContent
    )
    func readersAndObservers(engine: ProcessTests.Engine, event: Event) async throws {
        let other = try engine.open(backup)
        try await other.insert(Self.others.map { Entry($0) })
        try other.close()
        let client = try engine.open(folder.store)
        try await client.insert(Self.own.map { Entry($0) })
        let results = try client.blocking.results(of: Entry.all)
        var counts = client.observeCount(Entry.all).makeAsyncIterator()
        #expect(try await counts.next() == 10)
        try perform(event)
        #expect(try await client.fetch(Entry.all).map(\.id) == Self.own)
        #expect(try client.blocking.count(Entry.all) == 10)
        if event.refusesWrites {
            // Nothing is written, so that the observer learns it by itself.
            let failure = await #expect(throws: DBClientError.self) { _ = try await counts.next() }
            #expect(failure?.code == .io)
        } else {
            try await client.insert(Entry(11))
            #expect(try await counts.next() == 11)
        }
        #expect(try (0..<10).map { try results[$0].id } == Self.own)
        try? client.close()
    }

    @Test("A move inside a transaction is noticed", arguments: ProcessTests.Engine.allCases)
    func moveInsideATransaction(engine: ProcessTests.Engine) throws {
        let client = try engine.open(folder.store)
        try client.blocking.insert(Entry(1))
        var failure: DBClientError?
        do {
            try client.blocking.write { transaction in
                try transaction.insert(Entry(2))
                try perform(.moved)
            }
        } catch { failure = error as? DBClientError }
        #expect(failure?.code == .io)
        try? client.close()
        #expect(try ids(engine, moved) == [1])
    }

    /// Another store may have had the name meanwhile.
    @Test(
        "A write is refused for good once a move was noticed",
        arguments: ProcessTests.Engine.allCases
    )
    func noticedMove(engine: ProcessTests.Engine) throws {
        let client = try engine.open(folder.store)
        try client.blocking.insert(Entry(1))
        #expect(rename(folder.store.path, moved.path) == 0)
        #expect(code { try client.blocking.insert(Entry(2)) } == .io)
        #expect(rename(moved.path, folder.store.path) == 0)
        #expect(code { try client.blocking.insert(Entry(3)) } == .io)
        #expect(code { try client.close() } == .io)
        #expect(try ids(engine, folder.store) == [1])
    }

    /// Its log and its locks are beside its former name.
    @Test(
        "A moved file is not opened under its new name beside a client that has it open",
        arguments: ProcessTests.Engine.allCases
    )
    func openedUnderBothNames(engine: ProcessTests.Engine) throws {
        let client = try engine.open(folder.store)
        try client.blocking.insert(Entry(1))
        try perform(.moved)
        #expect(code { try engine.open(moved).close() } == .invalidRequest)
        try? client.close()
        #expect(try ids(engine, moved) == [1])
    }

    private func code(_ body: () throws -> Void) -> DBClientError.Code? {
        do { try body() } catch { return (error as? DBClientError)?.code }
        return nil
    }

    /// Has a thing happen to the file.
    private func perform(_ event: Event) throws {
        let path = folder.store.path
        switch event {
        case .deleted: try manager.removeItem(atPath: path)
        case .deletedWithItsCompanions:
            for name in try manager.contentsOfDirectory(atPath: folder.url.path)
            where name.hasPrefix(folder.store.lastPathComponent) {
                try manager.removeItem(at: folder.url.appendingPathComponent(name))
            }
        case .replaced: #expect(rename(backup.path, path) == 0)
        case .deletedAndRestored:
            try manager.removeItem(atPath: path)
            try manager.copyItem(at: backup, to: folder.store)
        case .copiedOver:
            let copy = try Data(contentsOf: backup)
            let file = try FileHandle(forUpdating: folder.store)
            try file.write(contentsOf: copy)
            try file.truncate(atOffset: UInt64(copy.count))
            try file.close()
        case .moved: #expect(rename(path, moved.path) == 0)
        case .movedAndPutBack:
            #expect(rename(path, moved.path) == 0)
            #expect(rename(moved.path, path) == 0)
        }
    }

    /// Returns the rows of a file as the next program finds them, which writes one more; none where there is no file.
    private func ids(_ engine: ProcessTests.Engine, _ url: URL) throws -> [Int] {
        if manager.fileExists(atPath: url.path) { try engine.verify(url) }
        let client = try engine.open(url)
        let found = try client.blocking.fetch(Entry.all).map(\.id)
        try client.blocking.insert(Entry(1_000))
        #expect(try client.blocking.count(Entry.all) == found.count + 1)
        try client.close()
        return found
    }
}
