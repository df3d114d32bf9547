import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import StoreEntry
import Testing

/// What a process that forks while a store is open keeps of it.
@Suite struct ForkTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func aChildLeavesItsParentsTransactionsAlone(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let parent = try Child("fork", engine.rawValue, folder.store.path)
        #expect(parent.waitForLines() == ["child 0", "readers 1", "child 0", "entries 2"])
        try verify(folder.store, engine)
    }

    /// A child waited for ever for the write of a thread that it does not have.
    @Test(arguments: ProcessTests.Engine.allCases)
    func aChildOfAProcessThatWritesIsRefusedAtOnce(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let parent = try Child("fork-beside", engine.rawValue, folder.store.path)
        #expect(parent.waitForLines() == ["child 0", "entries 2"])
        try verify(folder.store, engine)
    }

    private func verify(_ store: URL, _ engine: ProcessTests.Engine) throws {
        switch engine {
        case .objectStore: try ObjectStoreDBClient.verify(at: store)
        case .encryptedObjectStore: try ObjectStoreDBClient.verify(at: store, key: storeKey)
        case .sqlite: try SQLDBClient.verifySQLite(at: store)
        }
    }
}
