import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// Files that other programs made: their journal mode, and their full-text triggers.
@Suite(.timeLimit(.minutes(15))) struct AdoptedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func make(_ sql: String = "") throws {
        let program = RawConnection(folder.store)
        #expect(
            program.run(
                """
                CREATE TABLE Note (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL UNIQUE);
                INSERT INTO Note (code) VALUES ('A');
                """ + sql
            ) == 0
        )
    }

    /// Whether the file is in write-ahead mode, by its header.
    private var hasLog: Bool {
        get throws { try Data(contentsOf: folder.store)[18] == 2 }
    }

    @Test func aFileStaysInItsJournalMode() async throws {
        try make()
        let client = try SQLDBClient.sqlite(at: folder.store)
        #expect(try client.blocking.fetch(Note.all).map(\.code) == ["A"])
        try client.blocking.insert(Note(code: "B"))
        try await client.insert(Note(code: "C"))
        #expect(
            try client.blocking.write { try $0.rows("PRAGMA synchronous") }.first?.values
                == [.integer(3)]
        )
        #expect(try await client.count(Note.all) == 3)
        #expect(try client.blocking.read { try $0.count(Note.all) } == 3)
        #expect(code { try client.blocking.insert(Note(code: "B")) } == .uniqueViolation)
        try client.close()
        #expect(try !hasLog)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files == ["store.sqlite"])
    }

    @Test func aFileStaysInItsJournalModeWhileReadsAndWritesOverlap() async throws {
        try make()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { try await client.insert(Note(code: "\(number)")) }
                group.addTask { _ = try await client.fetch(Note.all) }
            }
            try await group.waitForAll()
        }
        let results = try client.blocking.results(of: Note.all)
        try client.blocking.insert(Note(code: "after"))
        #expect(try results[50].code != "")
        #expect(try client.blocking.count(Note.all) == 52)
        try client.close()
        #expect(try !hasLog)
    }

    @Test func anObserverSeesWhatOtherProgramsWrite() async throws {
        try make()
        let client = try SQLDBClient.sqlite(at: folder.store)
        var changes = client.observe(Note.all).makeAsyncIterator()
        _ = try await changes.next()
        #expect(RawConnection(folder.store).run("INSERT INTO Note (code) VALUES ('B')") == 0)
        guard case .update(let change)? = try await changes.next() else {
            Issue.record("There was no change.")
            return
        }
        #expect(change.objects.map(\.code) == ["A", "B"])
        try client.close()
        #expect(try !hasLog)
    }

    @Test func aFileIsSwitchedToWriteAheadModeOnRequest() throws {
        try make()
        let configuration = SQLiteConfiguration(entersWriteAheadMode: true)
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        try client.blocking.insert(Note(code: "B"))
        try client.close()
        #expect(try hasLog)
    }

    @Test func anEmptyFileIsANewStore() throws {
        try Data().write(to: folder.store)
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Note(code: "B"))
        try client.close()
        #expect(try hasLog)
    }

    /// As GRDB keeps a full-text index in step with a table.
    private static let fullText = """
        CREATE VIRTUAL TABLE NoteText USING fts5(code, content = 'Note', content_rowid = 'id');
        CREATE TRIGGER noteInsert AFTER INSERT ON Note BEGIN
            INSERT INTO NoteText (rowid, code) VALUES (NEW.id, NEW.code);
        END;
        CREATE TRIGGER noteDelete AFTER DELETE ON Note BEGIN
            INSERT INTO NoteText (NoteText, rowid, code) VALUES ('delete', OLD.id, OLD.code);
        END;
        CREATE TRIGGER noteUpdate AFTER UPDATE ON Note BEGIN
            INSERT INTO NoteText (NoteText, rowid, code) VALUES ('delete', OLD.id, OLD.code);
            INSERT INTO NoteText (rowid, code) VALUES (NEW.id, NEW.code);
        END;
        """

    @Test func fullTextTriggersNeedATrustedFile() throws {
        try make(Self.fullText)
        let careful = try SQLDBClient.sqlite(at: folder.store)
        let error = failure { try careful.blocking.insert(Note(code: "B")) }
        #expect(error?.code == .permission)
        #expect(error?.hint?.contains("trustsSchema") == true)
        #expect(try careful.blocking.fetch(Note.all).map(\.code) == ["A"])
        try careful.close()
        let configuration = SQLiteConfiguration(trustsSchema: true)
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        try client.blocking.insert(Note(code: "words of B"))
        try client.blocking.update(Note(id: 2, code: "words of C"))
        let found = try client.blocking.read {
            try $0.rows("SELECT rowid FROM NoteText WHERE NoteText MATCH 'words'")
        }
        #expect(found.map(\.values) == [[.integer(2)]])
        try client.blocking.delete(Note.self, keys: [2])
        try client.close()
    }
}
