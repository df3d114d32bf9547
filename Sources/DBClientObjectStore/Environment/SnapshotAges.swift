import CLMDB
import DBClientCore
import Dispatch
import Synchronization

/// How long this process's readers have had their snapshots, and what is done about old ones.
final class SnapshotAges: Sendable {
    /// What a client asked for, of those with which the store was opened first.
    struct Limits: Sendable {
        /// How long a snapshot may be held; nil for as long as its reader likes.
        var maximum: Duration?
        /// The age from which on a snapshot is reported.
        var warning: Duration = .seconds(10)
        var warn: (@Sendable (ObjectStoreStatistics) -> Void)?
    }

    let limits: Limits
    /// The longest age of a snapshot, in nanoseconds.
    private let maximum: UInt64?
    /// Those of every reader of the environment, whether it reads or waits in the pool.
    private let starts = Mutex<[SnapshotStart]>([])
    private let warningCheck = OccasionalCheck(every: .seconds(1))

    init(_ limits: Limits) {
        self.limits = limits
        maximum = limits.maximum.map { UInt64(clamping: $0.nanoseconds) }
    }

    func add(_ start: SnapshotStart) {
        starts.withLock { $0.append(start) }
    }

    func remove(_ start: SnapshotStart) {
        starts.withLock { $0.removeAll { $0 === start } }
    }

    /// How long each snapshot has been held, the longest first.
    var ages: [Duration] {
        let now = clmdb_coarse_time()
        let times = starts.withLock { $0.compactMap(\.value) }
        return times.sorted().map { .nanoseconds(Int64(clamping: now > $0 ? now - $0 : 0)) }
    }

    /// Throws when a snapshot has been held for longer than it may be.
    @inline(__always)
    func check(_ start: SnapshotStart) throws {
        if let maximum { try check(start.time.load(ordering: .relaxed), maximum) }
    }

    @inline(never)
    private func check(_ since: UInt64, _ maximum: UInt64) throws {
        let now = clmdb_coarse_time()
        guard now > since, now - since > maximum else { return }
        throw DBClientError(
            .timeout,
            "The read went on for longer than a snapshot may be held.",
            hint: """
                Read in shorter transactions, or raise maximumSnapshotAge of ObjectStoreDBClient.
                """
        )
    }

    /// Whether the options ask to be told of old snapshots.
    var warns: Bool { limits.warn != nil }

    /// Tells of an old snapshot, at most once a second, after a commit, which its pages were kept from.
    func warnIfDue(_ statistics: @escaping @Sendable () -> ObjectStoreStatistics?) {
        guard let warn = limits.warn, warningCheck.isDue(), let oldest = ages.first,
            oldest >= limits.warning
        else { return }
        DispatchQueue.global(qos: .utility).async {
            if let statistics = statistics() { warn(statistics) }
        }
    }
}
