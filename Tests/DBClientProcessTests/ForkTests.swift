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
        try engine.verify(folder.store)
    }

    /// A child waited for ever for the write of a thread that it does not have.
    @Test(arguments: ProcessTests.Engine.allCases)
    func aChildOfAProcessThatWritesIsRefusedAtOnce(engine: ProcessTests.Engine) throws {
        let folder = try TemporaryFolder()
        let parent = try Child("fork-beside", engine.rawValue, folder.store.path)
        #expect(parent.waitForLines() == ["child 0", "entries 2"])
        try engine.verify(folder.store)
    }
}
