import DBClientCore
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct MonotonicSemaphoreTests {
    @Test func aSignalEndsTheNextWait() {
        let semaphore = MonotonicSemaphore()
        semaphore.signal()
        semaphore.signal()
        semaphore.wait()
        #expect(semaphore.wait(nanoseconds: 0))
        #expect(!semaphore.wait(nanoseconds: 0))
    }

    @Test func aWaitEndsAfterItsTime() {
        let semaphore = MonotonicSemaphore()
        let start = ContinuousClock.now
        #expect(!semaphore.wait(nanoseconds: 50_000_000))
        let time = ContinuousClock.now - start
        #expect(time >= .milliseconds(49) && time < .seconds(20))
        // What comes too late is not lost.
        semaphore.signal()
        #expect(semaphore.wait(nanoseconds: 0))
    }

    @Test("A signal ends a wait that is under way", arguments: [5_000_000_000, UInt64.max, nil])
    func signalsWhileWaiting(limit: UInt64?) {
        let semaphore = MonotonicSemaphore()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { semaphore.signal() }
        if let limit {
            #expect(semaphore.wait(nanoseconds: limit))
        } else {
            semaphore.wait()
        }
    }

    @Test func everySignalEndsOneWait() {
        let semaphore = MonotonicSemaphore()
        let ended = Mutex(0)
        let threads = DispatchGroup()
        for _ in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                for _ in 0..<500 where semaphore.wait(nanoseconds: 20_000_000_000) {
                    ended.withLock { $0 += 1 }
                }
                threads.leave()
            }
        }
        for _ in 0..<2_000 { semaphore.signal() }
        threads.wait()
        #expect(ended.withLock { $0 } == 2_000)
        #expect(!semaphore.wait(nanoseconds: 0))
    }
}
