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

        /// Whether a write is refused after it, where all engines agree.
        var refusesWrites: Bool? {
            switch self {
            case .deleted, .deletedWithItsCompanions, .replaced, .deletedAndRestored, .copiedOver:
                true
            // The object store goes on in the moved file, SQLite's log has the file's former name.
            case .moved: nil
            case .movedAndPutBack: false
            }
        }
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
        if let refuses = event.refusesWrites { #expect((failure != nil) == refuses) }
        if let failure {
            #expect(failure.code == .io)
            #expect(failure.hint != nil)
        }
        var refusal: DBClientError?
        do { try client.close() } catch { refusal = error as? DBClientError }
        #expect(refusal == nil || refusal?.code == .io)
        if event.refusesWrites == true { #expect(refusal?.hint != nil) }
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
