import DBClientCore
import DBClientSQL
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import DBClientSQLite

@Suite(.timeLimit(.minutes(15))) struct ReaderPoolTests {
    /// A store of one reader, which a thread holds until it is told to let go.
    private struct HeldSnapshot {
        let folder: TemporaryFolder
        let client: SQLDBClient
        private let gate = DispatchSemaphore(value: 0)

        init(patience: Duration) throws {
            folder = try TemporaryFolder()
            let configuration = SQLiteConfiguration(busyTimeout: patience, maximumReaders: 1)
            client = try SQLDBClient.sqlite(at: folder.store, configuration: configuration)
            try client.blocking.insert(Hero(id: 1, name: "A"))
            let isHeld = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [client, gate] in
                try? client.blocking.read { _ in
                    isHeld.signal()
                    gate.wait()
                }
            }
            isHeld.wait()
        }

        func release() {
            gate.signal()
        }

        /// Waits until so many callers stand in line for the reader.
        func waitForLine(of count: Int) throws {
            let readers = try #require((client.engine as? SQLiteEngine)?.readers)
            try waitUntil { readers.waitingCount == count }
        }
    }

    @Test("Who waits for a reader is served in the order of asking")
    func order() throws {
        let held = try HeldSnapshot(patience: .seconds(30))
        let served = Mutex<[Int]>([])
        let all = DispatchGroup()
        for number in 0..<6 {
            all.enter()
            Thread.detachNewThread { [client = held.client] in
                try? client.blocking.read { _ in
                    served.withLock { $0.append(number) }
                    // A caller that comes anew would find the reader idle in a pool without a queue.
                    Thread.sleep(forTimeInterval: 0.01)
                }
                all.leave()
            }
            try held.waitForLine(of: number + 1)
        }
        held.release()
        all.wait()
        #expect(served.withLock { $0 } == [0, 1, 2, 3, 4, 5])
    }

    @Test("Who waits for a reader in vain gets an error, and the reader goes on")
    func patience() throws {
        let held = try HeldSnapshot(patience: .milliseconds(200))
        #expect(code { _ = try held.client.blocking.count(Hero.all) } == .busy)
        held.release()
        #expect(try held.client.blocking.count(Hero.all) == 1)
    }

    @Test("Who waits for a reader of a client that is closed is told so")
    func closing() throws {
        let held = try HeldSnapshot(patience: .seconds(30))
        let told = Mutex<DBClientError.Code?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [client = held.client] in
            let found = code { _ = try client.blocking.count(Hero.all) }
            told.withLock { $0 = found }
            ended.signal()
        }
        try held.waitForLine(of: 1)
        try held.client.close()
        ended.wait()
        held.release()
        #expect(told.withLock { $0 } == .closed)
    }
}
