import Synchronization

/// Counts what happens on whatever thread.
final class Tally: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() {
        number.withLock { $0 += 1 }
    }
}
