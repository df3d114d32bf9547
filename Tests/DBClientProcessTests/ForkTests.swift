import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import Foundation
import Testing

/// What a process that forks while a store is open keeps of it.
@Suite struct ForkTests {
    @Test(arguments: ProcessTests.Engine.allCases)
    func aChildLeavesItsParentsTransactionsAlone(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let parent = try Child("fork", engine.rawValue, folder.store.path)
        #expect(parent.waitForLines() == ["child 0", "readers 1", "child 0", "entries 2"])
        switch engine {
        case .objectStore: try ObjectStoreDBClient.verify(at: folder.store)
        case .sqlite: try SQLDBClient.verifySQLite(at: folder.store)
        }
    }
}
