import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// A store's file that is deleted or replaced while a client has it open.
///
/// What was written into the deleted file was acknowledged and lost, and the log that a client left beside a backup hid
/// the backup's rows.
@Suite struct ReplacedFileTests {
    private let folder: TemporaryFolder
    private let other: URL
    private let manager = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        other = folder.url.appending(path: "other.sqlite")
    }

    private func open(_ configuration: SQLiteConfiguration = .init()) throws -> SQLDBClient {
        try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
    }

    private func makeOther() throws {
        let client = try SQLDBClient.sqlite(at: other)
        try client.blocking.insert([Hero(id: 7, name: "of the backup"), Hero(id: 8, name: "B")])
        try client.close()
    }

    /// The rows of the store as the next client to open it finds them.
    private func rows() throws -> [Int] {
        let client = try open()
        defer { try? client.close() }
        return try client.blocking.fetch(Hero.all).map(\.id)
    }

    private func expectLoss(_ body: () throws -> Void) {
        let error = failure(body)
        #expect(error?.code == .io)
        #expect(error?.hint != nil)
    }

    @Test func aWriteToADeletedFileIsRefused() async throws {
        let client = try open()
        try client.blocking.insert(Hero(id: 1, name: "A"))
        // A reader that is there goes on; one that is opened later would find nothing.
        _ = try client.blocking.count(Hero.all)
        try manager.removeItem(at: folder.store)
        expectLoss { try client.blocking.insert(Hero(id: 2, name: "B")) }
        let error = await #expect(throws: DBClientError.self) {
            try await client.insert(Hero(id: 3, name: "C"))
        }
        #expect(error?.code == .io)
        #expect(try client.blocking.fetch(Hero.all).map(\.id) == [1])
        expectLoss { try client.close() }
        #expect(try manager.contentsOfDirectory(atPath: folder.url.path) == [])
        #expect(try rows() == [])
    }

    @Test func aFileThatWasDeletedAndMadeAgainIsNotWrittenTo() throws {
        let client = try open()
        try client.blocking.insert(Hero(id: 1, name: "A"))
        for suffix in ["", "-wal", "-shm"] {
            try manager.removeItem(atPath: folder.store.path + suffix)
        }
        let next = try open()
        try next.blocking.insert(Hero(id: 5, name: "E"))
        expectLoss { try client.blocking.insert(Hero(id: 2, name: "B")) }
        expectLoss { try client.close() }
        try next.blocking.insert(Hero(id: 6, name: "F"))
        try next.close()
        #expect(try rows() == [5, 6])
    }

    @Test("A backup that is moved over the file keeps its rows", arguments: [true, false])
    func replaced(isWrittenTo: Bool) throws {
        try makeOther()
        let client = try open()
        try client.blocking.insert((1...100).map { Hero(id: $0, name: "A") })
        #expect(rename(other.path, folder.store.path) == 0)
        if isWrittenTo {
            expectLoss { try client.blocking.insert(Hero(id: 200, name: "B")) }
        } else {
            // It would read the backup's pages through the log of the old file.
            #expect(code { _ = try open() } == .invalidRequest)
        }
        expectLoss { try client.close() }
        #expect(try manager.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
        #expect(try rows() == [7, 8])
    }

    @Test func aReaderOpenedLaterDoesNotReadAnotherFile() throws {
        try makeOther()
        let client = try open()
        try client.blocking.insert(Hero(id: 1, name: "A"))
        #expect(rename(other.path, folder.store.path) == 0)
        // No reader was needed so far.
        expectLoss { _ = try client.blocking.fetch(Hero.all) }
        #expect(code { try client.close() } == .io)
        #expect(try rows() == [7, 8])
    }

    @Test func aBackupThatIsCopiedIntoTheFileKeepsItsRows() throws {
        let before = try open()
        try before.blocking.insert(Hero(id: 7, name: "of the backup"))
        try before.close()
        let backup = try Data(contentsOf: folder.store)
        for id in 1...3 {
            let client = try open()
            try client.blocking.insert(Hero(id: id, name: "A"))
            try client.close()
        }
        let client = try open()
        try client.blocking.insert(Hero(id: 10, name: "B"))
        let handle = try FileHandle(forWritingTo: folder.store)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: backup)
        try handle.close()
        expectLoss { try client.blocking.insert(Hero(id: 11, name: "C")) }
        expectLoss { try client.close() }
        #expect(!manager.fileExists(atPath: folder.store.path + "-wal"))
        #expect(try Data(contentsOf: folder.store) == backup)
        #expect(try rows() == [7])
    }

    @Test func aFileThatIsMovedAwayIsWhole() throws {
        let client = try open()
        try client.blocking.insert((1...10).map { Hero(id: $0, name: "A") })
        try manager.moveItem(at: folder.store, to: other)
        expectLoss { try client.blocking.insert(Hero(id: 11, name: "B")) }
        expectLoss { try client.close() }
        #expect(try manager.contentsOfDirectory(atPath: folder.url.path) == ["other.sqlite"])
        let moved = try SQLDBClient.sqlite(at: other)
        #expect(try moved.blocking.count(Hero.all) == 10)
        try moved.close()
    }

    @Test("A log or its index that is deleted is noticed", arguments: ["-wal", "-shm"])
    func deletedCompanion(suffix: String) throws {
        let client = try open()
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try manager.removeItem(atPath: folder.store.path + suffix)
        expectLoss { try client.blocking.insert(Hero(id: 2, name: "B")) }
        expectLoss { try client.close() }
        #expect(try rows() == [1])
    }

    @Test("A log or its index that is replaced is noticed", arguments: ["-wal", "-shm"])
    func replacedCompanion(suffix: String) throws {
        let first = try open()
        try first.blocking.insert(Hero(id: 1, name: "A"))
        try first.close()
        let client = try open()
        try client.blocking.insert(Hero(id: 2, name: "B"))
        let path = folder.store.path + suffix
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        try Data(count: size).write(to: other)
        #expect(rename(other.path, path) == 0)
        expectLoss { try client.blocking.insert(Hero(id: 3, name: "C")) }
        expectLoss { try client.close() }
        // The log that went with its name had the second.
        #expect(try rows().first == 1)
    }

    /// Observers went on showing what the old file had.
    @Test(
        "Observers learn that the file was lost, and results keep what they had",
        arguments: [(true, false), (true, true), (false, false), (false, true)]
    )
    func observedFile(isReplaced: Bool, isWrittenTo: Bool) async throws {
        try makeOther()
        let client = try open()
        try await client.insert((1...3).map { Hero(id: $0, name: "A") })
        let results = try client.blocking.results(of: Hero.all)
        var changes = client.observe(Hero.all).makeAsyncIterator()
        var counts = client.observeCount(Hero.all).makeAsyncIterator()
        _ = try await changes.next()
        #expect(try await counts.next() == 3)
        if isReplaced {
            #expect(rename(other.path, folder.store.path) == 0)
        } else {
            try manager.removeItem(at: folder.store)
        }
        if isWrittenTo { expectLoss { try client.blocking.insert(Hero(id: 4, name: "B")) } }
        var codes: [DBClientError.Code?] = []
        do { _ = try await changes.next() } catch { codes.append((error as? DBClientError)?.code) }
        do { _ = try await counts.next() } catch { codes.append((error as? DBClientError)?.code) }
        #expect(codes == [.io, .io])
        #expect(try (0..<3).map { try results[$0].name } == ["A", "A", "A"])
        expectLoss { try client.close() }
        #expect(try rows() == (isReplaced ? [7, 8] : []))
    }

    /// Another process copies the log while the file stays what it is.
    @Test func whatOtherProgramsWriteIsNoReplacement() throws {
        let client = try open()
        try client.blocking.insert(Hero(id: 1, name: "A"))
        let program = RawConnection(folder.store)
        for id in 2...20 {
            #expect(
                program.run("INSERT INTO Hero VALUES (\(id), 'B', NULL, 0, 1, NULL, '[]')") == 0
            )
            if id % 3 == 0 { #expect(program.run("PRAGMA wal_checkpoint(TRUNCATE)") == 0) }
            if id % 5 == 0 { #expect(program.run("CREATE TABLE t\(id) (a)") == 0) }
            if id == 10 { #expect(program.run("VACUUM") == 0) }
            try client.blocking.insert(Hero(id: id + 100, name: "C"))
        }
        #expect(try client.blocking.count(Hero.all) == 39)
        try client.close()
    }
}
