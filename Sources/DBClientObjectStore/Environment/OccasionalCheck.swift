import CLMDB
import Synchronization

/// Lets something be done when it was not for some time.
final class OccasionalCheck: Sendable {
    private let next = Atomic<UInt64>(0)
    private let pause: UInt64

    init(every pause: Duration) {
        self.pause = UInt64(clamping: pause.nanoseconds)
    }

    func isDue() -> Bool {
        let now = clmdb_coarse_time()
        let due = next.load(ordering: .relaxed)
        guard now >= due else { return false }
        return next.compareExchange(
            expected: due,
            desired: now &+ pause,
            ordering: .relaxed
        ).exchanged
    }
}
