import DBClientCore
import Foundation
import StoreEntry
import Testing

/// A folder that a process may not write to: a typed error, and nothing is lost.
@Suite struct PermissionTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func aFolderThatCannotBeWrittenToIsRefused(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let manager = FileManager.default
        let store = folder.url.appendingPathComponent("old.store")
        #expect(
            try Child(engine.rawValue, store.path, "1", "3").waitForAcknowledged() == [1, 2, 3]
        )
        // A process that opens the store makes a file beside it.
        try? manager.removeItem(atPath: store.path + "-lock")
        #expect(try manager.contentsOfDirectory(atPath: folder.url.path) == ["old.store"])
        // The file is the process's own; only the folder is not.
        if getuid() == 0, let nobody = getpwnam("nobody")?.pointee {
            #expect(chown(store.path, nobody.pw_uid, nobody.pw_gid) == 0)
        }
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        let lines = try Child("without-permission", engine.rawValue, folder.url.path).waitForLines()
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        #expect(lines == ["old permission", "new permission"])
        #expect(try manager.contentsOfDirectory(atPath: folder.url.path) == ["old.store"])
        let client = try engine.open(store)
        try client.blocking.insert(Entry(4))
        #expect(try client.blocking.fetch(Entry.all).map(\.id) == [1, 2, 3, 4])
        try client.close()
    }
}
