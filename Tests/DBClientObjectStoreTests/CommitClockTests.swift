import DBClientCore
import DBClientTesting
import Foundation
import Synchronization
import Testing

@testable import DBClientObjectStore

@Suite struct CommitClockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Inside a transaction no caller may wait for the map, which waits for the transaction.
    @Test func whileTheMapGrowsAnythingMayHaveBeenCommitted() throws {
        let options = Environment.Options(durability: .full, mapSize: 1 << 20)
        let environment = try Environment(path: folder.store.path, options)
        let log = Mutex<[ClosedRange<UInt64>?]>([])
        var told: [ClosedRange<UInt64>?] { log.withLock { $0 } }
        let clock = CommitClock(environment) { numbers in log.withLock { $0.append(numbers) } }
        clock.beginWatching()
        clock.look(waits: false)
        #expect(told.isEmpty)

        let reader = try environment.takeReader()
        let hasGrown = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? environment.resize(isFull: true)
            hasGrown.signal()
        }
        // Until the other thread has begun, the look finds nothing that was not told.
        while told.isEmpty { clock.look(waits: false) }
        #expect(told == [nil])
        environment.giveBack(reader)
        hasGrown.wait()

        clock.look(waits: false)
        #expect(told == [nil])
        environment.close()
    }
}
