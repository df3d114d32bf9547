import DBClientCore
import Synchronization

/// Throws `.busy` as often as it is told to.
final class Failing: Sendable {
    let count = Mutex(Int.max)

    func check() throws {
        let fails = count.withLock { count in
            if count == 0 { return false }
            count -= 1
            return true
        }
        if fails { throw DBClientError(.busy, "It is busy.") }
    }
}
