import DBClientCore
import DBClientObjectStore
import Foundation
import Testing

@Suite struct StatisticsTests {
    private let folder: TemporaryFolder
    private let client: ObjectStoreDBClient

    init() throws {
        folder = try TemporaryFolder()
        client = try ObjectStoreDBClient(at: folder.store)
        try client.blocking.insert((1...500).map { Note($0, "note \($0)") })
    }

    @Test func tellsTheSizeOfTheFile() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.store.path)
        #expect(try client.statistics().fileSize == attributes[.size] as? Int)
    }

    @Test func tellsHowFarReadersAreBehindTheLastCommit() throws {
        #expect(try client.statistics().readers.isEmpty)
        let process = UInt64(ProcessInfo.processInfo.processIdentifier)
        let writer = try ObjectStoreDBClient(at: folder.store)
        let reader = try ObjectStoreDBClient(at: folder.store)
        try client.readBlocking { oldest in
            #expect(try oldest.count(Note.all) == 500)
            try writer.blocking.insert(Note(501, "later"))
            try reader.readBlocking { newer in
                #expect(try newer.count(Note.all) == 501)
                for id in 502...503 { try writer.blocking.insert(Note(id, "later")) }
                let readers = try client.statistics().readers
                #expect(readers.map(\.commitsBehind) == [3, 2])
                #expect(readers.allSatisfy { $0.process == process })
            }
            #expect(try client.statistics().oldestReader?.commitsBehind == 3)
        }
        #expect(try client.statistics().oldestReader == nil)
    }

    @Test func tellsOfAJournalThatIsEmptyWhileNoOtherProcessObserves() throws {
        let journal = try #require(try client.statistics().journal)
        #expect(journal.entryCount == 0)
        #expect(journal.size == 0)
        #expect(journal.commitsSinceOldest == nil)
    }

    @Test func areThoseOfAnOpenClient() throws {
        try client.close()
        #expect(error { _ = try client.statistics() }?.code == .closed)
    }
}
