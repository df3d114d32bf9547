import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing
import TrustRow

@Suite struct StoreFileTests {
    @Test func aCommitIsDurableUnlessRelaxed() throws {
        let folder = try TemporaryFolder()
        let full = try SQLDBClient.sqlite(at: folder.store)
        let level = try full.blocking.write { try $0.rows("PRAGMA synchronous") }
        #expect(level.first?.values == [.integer(2)])
        try full.close()
        let relaxed = try SQLDBClient.sqlite(at: folder.store, durability: .relaxed)
        let lower = try relaxed.blocking.write { try $0.rows("PRAGMA synchronous") }
        #expect(lower.first?.values == [.integer(1)])
    }

    @Test func connectionsTrustNoSchema() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        let reading = try client.blocking.read { try self.settings(of: $0) }
        let writing = try client.blocking.write { try self.settings(of: $0) }
        for settings in [reading, writing] {
            #expect(settings == [.integer(0), .integer(1), .text("wal")])
        }
        #if os(Linux)
        // Defensive mode: the schema cannot be written even when a statement asks to.
        try client.blocking.execute("PRAGMA writable_schema = ON")
        #expect(
            code { try client.blocking.execute("UPDATE sqlite_schema SET sql = ''") } != nil
        )
        #endif
    }

    private func settings(of transaction: ReadTransaction) throws -> [StorageValue] {
        let reader = try transaction.storeReader
        let connection = try #require(reader as? SQLTransaction).connection
        var values: [StorageValue] = []
        for name in ["trusted_schema", "cell_size_check", "journal_mode"] {
            try connection.prepare("PRAGMA \(name)", for: .once).values(on: nil) { row in
                values.append(StorageValue(row[0]))
                return false
            }
        }
        return values
    }

    @Test(.counts(for: "R18", part: "SQLite")) func whatIsNoFileIsAnError() throws {
        let folder = try TemporaryFolder()
        #expect(code { _ = try SQLDBClient.sqlite(at: folder.url) } == .invalidRequest)
        try Data().write(to: folder.store)
        let inside = folder.store.appendingPathComponent("store")
        #expect(code { _ = try SQLDBClient.sqlite(at: inside) } == .io)
    }

    @Test(.enabled(if: geteuid() != 0, "Root may read every file."))
    func aFileThatCannotBeReadIsRefused() throws {
        let folder = try TemporaryFolder()
        try SQLDBClient.sqlite(at: folder.store).close()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o000],
            ofItemAtPath: folder.store.path
        )
        #expect(code { _ = try SQLDBClient.sqlite(at: folder.store) } == .permission)
    }

    @Test(.counts(for: "R18", part: "SQLite")) func filesAreTheOwnersAlone() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.store.path + suffix
            )
            let mode = try #require(attributes[.posixPermissions] as? NSNumber)
            #expect(mode.intValue == 0o600, "\(suffix)")
        }
    }

    @Test(.counts(for: "R18", part: "SQLite")) func anExistingFileKeepsItsMode() throws {
        let folder = try TemporaryFolder()
        _ = FileManager.default.createFile(
            atPath: folder.store.path,
            contents: nil,
            attributes: [.posixPermissions: 0o640]
        )
        try SQLDBClient.sqlite(at: folder.store).close()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.store.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    }

    @Test(.counts(for: "R18", part: "SQLite")) func aLinkIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        try SQLDBClient.sqlite(at: folder.store).close()
        let link = folder.url.appending(path: "link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.store)
        #expect(code { _ = try SQLDBClient.sqlite(at: link) } == .permission)
    }

    @Test func aMissingFolderIsTold() throws {
        let folder = try TemporaryFolder()
        let error = failure {
            _ = try SQLDBClient.sqlite(at: folder.url.appending(path: "none/store.sqlite"))
        }
        #expect(error?.code == .io)
        #expect(error?.hint != nil)
    }

    @Test func aForeignFileIsCorrupt() throws {
        let folder = try TemporaryFolder()
        try Data("This is no database, and it is longer than a header of one.".utf8)
            .write(to: folder.store)
        #expect(code { _ = try SQLDBClient.sqlite(at: folder.store) } == .corrupt)
    }

    @Test func anObjectStoreIsNotTakenForADamagedFile() throws {
        let folder = try TemporaryFolder()
        // Where LMDB has its number: after the header of the first page.
        var page = Data(count: 4_096)
        page.replaceSubrange(16..<20, with: [0xDE, 0xC0, 0xEF, 0xBE])
        try page.write(to: folder.store)
        let error = failure { _ = try SQLDBClient.sqlite(at: folder.store) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.hint != nil)
    }

    @Test func aTruncatedFileIsCorrupt() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(
            (1...2_000).map { Hero(id: $0, name: "Hero number \($0) of many") }
        )
        try client.close()
        let handle = try FileHandle(forWritingTo: folder.store)
        try handle.truncate(atOffset: handle.seekToEnd() / 2)
        try handle.close()
        #expect(
            code {
                let damaged = try SQLDBClient.sqlite(at: folder.store)
                _ = try damaged.blocking.fetch(Hero.all)
            } == .corrupt
        )
    }

    @Test func aHeldLockIsBusyAfterTheTimeout() throws {
        let folder = try TemporaryFolder()
        let configuration = SQLiteConfiguration(busyTimeout: .milliseconds(50))
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        let other = RawConnection(folder.store)
        #expect(other.run("BEGIN IMMEDIATE") == 0)
        #expect(code { try client.blocking.insert(Hero(id: 2, name: "B")) } == .busy)
        #expect(try client.blocking.count(Hero.all) == 1)
        other.run("ROLLBACK")
        try client.blocking.insert(Hero(id: 2, name: "B"))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(30 * 24 * 3_600), .seconds(-1)])
    func anyTimeoutIsTaken(_ timeout: Duration) throws {
        let folder = try TemporaryFolder()
        let configuration = SQLiteConfiguration(busyTimeout: timeout)
        let client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        try client.blocking.insert(Hero(id: 1, name: "A"))
        #expect(try client.blocking.count(Hero.all) == 1)
    }

    @Test func aWriteInsideAWriteOfAnotherClientIsBusy() throws {
        let folder = try TemporaryFolder()
        let configuration = SQLiteConfiguration(busyTimeout: .milliseconds(50))
        let first = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        let second = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
        try first.blocking.write { transaction in
            try transaction.insert(Hero(id: 1, name: "A"))
            #expect(code { try second.blocking.insert(Hero(id: 2, name: "B")) } == .busy)
        }
        #expect(try second.blocking.fetch(Hero.all).map(\.id) == [1])
        try second.blocking.insert(Hero(id: 2, name: "B"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/sqlite3"), "needs sqlite3"))
    func theShellReadsTheTables() throws {
        let folder = try TemporaryFolder()
        let client = try SQLDBClient.sqlite(at: folder.store)
        try client.blocking.insert(Hero(id: 7, name: "Iron \"Man\"", power: 1.5))
        try client.blocking.insert(Hostile(select: "a", quote: "b", value: 3))
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        shell.arguments = [
            folder.store.path,
            "SELECT id, name, power, isActive, aliases FROM Hero;"
                + "SELECT * FROM \"select \"\"from\"\"; DROP TABLE x --\"; PRAGMA integrity_check;",
        ]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        shell.waitUntilExit()
        #expect(text == "7|Iron \"Man\"|1.5|1|[]\na|b|3\nok\n")
    }

    @Test func aClosedClientSaysSo() throws {
        let folder = try TemporaryFolder()
        for client in [
            try SQLDBClient.sqlite(at: folder.store), try SQLDBClient.sqlite(.inMemory),
        ] {
            try client.blocking.insert(Hero(id: 1, name: "A"))
            _ = try client.blocking.fetch(Hero.all)
            try client.close()
            try client.close()
            #expect(code { _ = try client.blocking.fetch(Hero.all) } == .closed)
            #expect(code { try client.blocking.insert(Hero(id: 2, name: "B")) } == .closed)
        }
        // The last connection takes the log with it.
        #expect(!FileManager.default.fileExists(atPath: folder.store.path + "-wal"))
    }
}
