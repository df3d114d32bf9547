import DBClientCore
import Dispatch
import Synchronization

/// The snapshots that clients hold across calls; they refetch after a snapshot was asked back.
///
/// As long as one is held, LMDB reuses no page that was freed since it began, and the file grows with every commit.
final class LentSnapshots: Sendable {
    private struct Lent {
        weak var snapshot: (any EngineSnapshot)?
        /// The size of the file above which it is asked for back.
        let limit: Int
    }

    private let lent = Mutex<[Lent]>([])
    /// The smallest limit of any, to be looked at with every commit.
    private let smallestLimit = Atomic(Int.max)

    /// How much longer a small file may become.
    private static let room = 8 << 20

    /// Adds a snapshot.
    ///
    /// It is asked for back when the file has twice the size of what it holds, or 8 MB more if that is later; a file
    /// that is larger already has free pages, and grows when these are used up.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - fileSize: The size of the file.
    ///   - liveSize: The size of the pages that are in use.
    func add(_ snapshot: any EngineSnapshot, fileSize: Int, liveSize: Int) {
        let limit = max(fileSize, liveSize + max(liveSize, Self.room))
        lent.withLock { lent in
            lent.removeAll { $0.snapshot == nil }
            lent.append(Lent(snapshot: snapshot, limit: limit))
            noteLimits(lent)
        }
    }

    /// Releases every snapshot that is held across calls.
    func recall() {
        for snapshot in take(where: { _ in true }) { snapshot.release() }
    }

    /// Asks for those snapshots back for which the file has grown too much, without waiting for threads that read one.
    @inline(__always)
    func recallIfGrown(_ fileSize: Int) {
        if fileSize > smallestLimit.load(ordering: .relaxed) { recall(fileSize) }
    }

    @inline(never)
    private func recall(_ fileSize: Int) {
        let recalled = take { $0.limit < fileSize }
        // A thread that reads one may be waiting for this thread, which writes.
        DispatchQueue.global(qos: .utility).async {
            for snapshot in recalled { snapshot.release() }
        }
    }

    private func take(where isTaken: (Lent) -> Bool) -> [any EngineSnapshot] {
        lent.withLock { lent in
            let taken = lent.filter(isTaken).compactMap(\.snapshot)
            lent.removeAll { $0.snapshot == nil || isTaken($0) }
            noteLimits(lent)
            return taken
        }
    }

    private func noteLimits(_ lent: [Lent]) {
        smallestLimit.store(lent.map(\.limit).min() ?? .max, ordering: .relaxed)
    }
}
