import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import DBClientSQLite

/// What a client notes of a file that it closes.
@Suite struct FileNoteTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try client.close()
    }

    private func isKept(_ url: URL) -> Bool {
        SQLiteFileNote(url.path)?.isKept(at: url.path) == true
    }

    /// Waits until a change of the store has another time than its last one.
    private func waitForTheClock() throws {
        let probe = folder.url.appending(path: "probe")
        try waitUntil {
            try Data("a".utf8).write(to: probe)
            return try modified(probe) > modified(folder.store)
        }
    }

    private func modified(_ url: URL) throws -> Date {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.modificationDate] as? Date)
    }

    /// Whether the file system has extended attributes.
    private static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder(),
            (try? Data("a".utf8).write(to: folder.store)) != nil
        else { return false }
        SQLiteFileNote(folder.store.path)?.keep(at: folder.store.path)
        return SQLiteFileNote(folder.store.path)?.isKept(at: folder.store.path) == true
    }()

    @Test(.enabled(if: isPossible)) func aFileThatWasClosedIsKnown() throws {
        #expect(isKept(folder.store))
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 2, name: "B"))
        try client.close()
        #expect(isKept(folder.store))
    }

    @Test func aFileThatAnotherProgramChangedIsNotKnown() throws {
        try waitForTheClock()
        #expect(RawConnection(folder.store).run("UPDATE Hero SET name = 'B'") == 0)
        #expect(!isKept(folder.store))
        // It is sound, and so it is known again.
        try SQLDBClient.sqlite(at: folder.store).close()
        #expect(isKept(folder.store) == Self.isPossible)
    }

    @Test func aCopyIsNotKnown() throws {
        let copy = folder.url.appending(path: "copy.sqlite")
        try FileManager.default.copyItem(at: folder.store, to: copy)
        SQLiteFileNote(folder.store.path)?.keep(at: copy.path)
        #expect(!isKept(copy))
    }
}
