import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing
import TrustRow

/// What may not be at the path of a file that belongs to a store.
@Suite(.timeLimit(.minutes(15)), .counts(for: "R18", part: "SQLite")) struct FileKindTests {
    private let folder: TemporaryFolder
    private let manager = FileManager.default
    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ suffix: String) -> String { folder.store.path + suffix }

    private func openAndWrite() throws {
        let client = try SQLDBClient.sqlite(at: folder.store)
        defer { try? client.close() }
        try client.blocking.insert(Hero(id: 1, name: "A"))
    }

    @Test("A link is not followed", arguments: FileKindTests.suffixes, [true, false])
    func link(suffix: String, isDangling: Bool) throws {
        let victim = folder.url.appending(path: "victim")
        let content = Data("of another program".utf8)
        if !isDangling { try content.write(to: victim) }
        try manager.createSymbolicLink(atPath: path(suffix), withDestinationPath: victim.path)
        #expect(code { try openAndWrite() } == .permission)
        #expect(
            isDangling
                ? !manager.fileExists(atPath: victim.path) : try Data(contentsOf: victim) == content
        )
    }

    @Test("A pipe is refused and not waited for", arguments: FileKindTests.suffixes)
    func pipe(suffix: String) throws {
        #expect(mkfifo(path(suffix), 0o600) == 0)
        #expect(code { try openAndWrite() } == .invalidRequest)
        #expect(code { try SQLDBClient.verifySQLite(at: folder.store) } != nil)
    }

    @Test("A file that every user may write to is refused", arguments: FileKindTests.suffixes)
    func permissions(suffix: String) throws {
        try openAndWrite()
        if suffix != "" { try Data().write(to: URL(fileURLWithPath: path(suffix))) }
        try manager.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path(suffix))
        let error = failure { try openAndWrite() }
        #expect(error?.code == .permission)
        #expect(error?.hint != nil)
    }

    /// A connection that is opened while the client is used meets what was planted since.
    @Test("A link that is planted later is not followed", arguments: ["-wal", "-shm"])
    func planted(suffix: String) throws {
        let victim = folder.url.appending(path: "victim")
        try Data("of another program".utf8).write(to: victim)
        let client = try SQLDBClient.sqlite(at: folder.store)
        defer { try? client.close() }
        try client.blocking.insert(Hero(id: 1, name: "A"))
        try manager.removeItem(atPath: path(suffix))
        try manager.createSymbolicLink(atPath: path(suffix), withDestinationPath: victim.path)
        // The first reader is opened now.
        #expect(code { _ = try client.blocking.count(Hero.all) } == .permission)
        #expect(code { try client.blocking.insert(Hero(id: 2, name: "B")) } == .io)
        #expect(try Data(contentsOf: victim) == Data("of another program".utf8))
    }

    /// SQLite takes a file of one byte for an empty one.
    @Test(arguments: [1, 2, 50, 99, 100, 511, 512, 4_096, 5_000])
    func aSmallFileOfAnotherProgramIsNotTakenForAnEmptyStore(size: Int) throws {
        for byte in [UInt8(0), 65, 255] {
            let content = Data(repeating: byte, count: size)
            try content.write(to: folder.store)
            #expect(code { try openAndWrite() } == .corrupt)
            #expect(code { try SQLDBClient.verifySQLite(at: folder.store) } == .corrupt)
            #expect(try Data(contentsOf: folder.store) == content)
        }
    }
}
