import DBClientObjectStore
import Foundation
import Testing

/// What a process that forks while a store is open keeps of it.
@Suite struct ForkTests {
    @Test func aChildLeavesItsParentsTransactionsAlone() throws {
        let folder = try TemporaryFolder()
        let parent = try Child("fork", folder.store.path)
        #expect(parent.waitForLines() == ["child 0", "readers 1", "child 0", "entries 2"])
        try ObjectStoreDBClient.verify(at: folder.store)
    }
}
