import DBClientCore
import Synchronization

/// Throws `.busy` until it is told to end that.
final class Failing: Sendable {
    private let count = Mutex(Int.max)

    /// Throws no more.
    func end() {
        count.withLock { $0 = 0 }
    }

    func check() throws {
        let fails = count.withLock { count in
            if count == 0 { return false }
            count -= 1
            return true
        }
        if fails { throw DBClientError(.busy, "It is busy.") }
    }
}
