import DBClientCore
import Dispatch
import Synchronization

/// The snapshots that clients hold across calls; they refetch after a snapshot was asked back.
final class SQLiteLentSnapshots: Sendable {
    private struct Lent {
        weak var snapshot: (any EngineSnapshot)?
    }

    private let lent = Mutex<[Lent]>([])

    func add(_ snapshot: any EngineSnapshot) {
        lent.withLock { lent in
            lent.removeAll { $0.snapshot == nil }
            lent.append(Lent(snapshot: snapshot))
        }
    }

    /// Asks for all of them back, without waiting for a thread that reads one: it may itself be waiting for the calling
    /// thread, which writes.
    ///
    /// - Returns: Whether there was any.
    func recall() -> Bool {
        let recalled = lent.withLock { lent in
            defer { lent = [] }
            return lent.compactMap(\.snapshot)
        }
        if recalled.isEmpty { return false }
        DispatchQueue.global(qos: .utility).async {
            for snapshot in recalled { snapshot.release() }
        }
        return true
    }
}
