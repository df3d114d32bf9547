import DBClientCore
import Dispatch
import Foundation
import Testing

@Suite struct UnfairMutexTests {
    /// More threads than processors, so that some lose theirs while they hold the lock.
    @Test func oneThreadAtATimeHasTheValue() {
        let sums = Sums()
        let threads = DispatchGroup()
        for _ in 0..<8 {
            threads.enter()
            Thread.detachNewThread {
                for _ in 0..<20_000 {
                    sums.values.withLock { values in
                        values.0 += 1
                        values.1 += values.0
                    }
                }
                threads.leave()
            }
        }
        threads.wait()
        let count = 160_000
        #expect(sums.values.withLock { $0.0 } == count)
        #expect(sums.values.withLock { $0.1 } == count * (count + 1) / 2)
    }

    @Test func anErrorLeavesItFree() {
        let sums = Sums()
        #expect(throws: CancellationError.self) {
            try sums.values.withLock { values in
                values.0 = 7
                throw CancellationError()
            }
        }
        #expect(sums.values.withLock { $0.0 } == 7)
    }

    @Test func itsValueEndsWithIt() {
        weak var token: Token?
        do {
            let holder = Holder(Token())
            token = holder.token.withLock { $0 }
            #expect(token != nil)
        }
        #expect(token == nil)
    }
}

private final class Sums: Sendable {
    let values = UnfairMutex((0, 0))
}

private final class Token: Sendable {}

private final class Holder: Sendable {
    let token: UnfairMutex<Token>

    init(_ token: Token) {
        self.token = UnfairMutex(token)
    }
}
