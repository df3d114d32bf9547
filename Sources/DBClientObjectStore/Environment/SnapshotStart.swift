import CLMDB
import Synchronization

/// When a reader took its snapshot.
///
/// It is what other threads see of a reader: a weak reference to the reader itself would make each of its retains and
/// releases take the slow path.
final class SnapshotStart: Sendable {
    /// By the coarse clock; zero while no snapshot is held.
    let time = Atomic<UInt64>(clmdb_coarse_time())

    /// By the coarse clock; nil while no snapshot is held.
    var value: UInt64? {
        let time = time.load(ordering: .relaxed)
        return time == 0 ? nil : time
    }
}
