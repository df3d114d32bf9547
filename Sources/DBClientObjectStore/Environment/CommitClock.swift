import CLMDB
import DBClientCore
import Synchronization

/// Tells the commits of other processes from those of this one, by LMDB's transaction numbers: each
/// commit that writes takes the next.
final class CommitClock: Sendable {
    private struct State {
        var isWatching = false
        /// Every commit up to this number is this process's own or was announced.
        var known: UInt64 = 0
        /// The number of the write transaction that this process has open.
        var own: UInt64?
        /// Whether that transaction is being committed and takes its number.
        var isCommitting = false
        /// Whether its number was taken for its own before that was certain.
        var isPresumed = false
    }

    private let environment: Environment
    private let state = Mutex(State())
    /// Tells the observers of the commits with some numbers, which take their place in the order now; of
    /// any commits, for nil.
    private let tell: @Sendable (ClosedRange<UInt64>?) -> Void

    init(_ environment: Environment, tell: @escaping @Sendable (ClosedRange<UInt64>?) -> Void) {
        self.environment = environment
        self.tell = tell
    }

    /// Takes what the store has now for known.
    func beginWatching() {
        // The observer may begin inside a transaction.
        let last = environment.lastCommit(waits: false)
        state.withLock { state in
            state.isWatching = true
            state.known = max(state.known, last ?? 0)
        }
    }

    func endWatching() {
        state.withLock { $0.isWatching = false }
    }

    // MARK: Own transactions

    /// Learns the number of the write transaction that runs: every smaller one has ended.
    ///
    /// Called when it begins and before it commits, since undoing a savepoint may have restarted it.
    func enter(_ number: UInt64) {
        state.withLock { state in
            state.own = number
            state.isCommitting = false
            tell(through: number &- 1, &state)
        }
    }

    /// Learns that the write transaction, which has written, will be committed.
    func willCommit() {
        state.withLock { state in
            state.isCommitting = true
            state.isPresumed = false
        }
    }

    /// Learns that the write transaction ended, and whether it took its number.
    func leave(tookNumber: Bool) {
        state.withLock { state in
            guard let own = state.own else { return }
            if tookNumber {
                state.known = max(state.known, own)
            } else if state.isCommitting, state.isPresumed {
                // The commit failed, so the number was another's, and its place has passed.
                tell(nil)
            }
            state.own = nil
            state.isCommitting = false
        }
    }

    // MARK: Looking

    /// Announces every commit that a reader sees.
    ///
    /// - Parameter waits: Whether to wait while the map is resized, not for inside a transaction.
    func look(waits: Bool) {
        if !state.withLock(\.isWatching) { return }
        guard let last = environment.lastCommit(waits: waits) else {
            // A read may have seen commits that were not announced, so it is refetched.
            if !waits { tell(nil) }
            return
        }
        state.withLock { state in
            guard last > state.known else { return }
            if state.isCommitting, let own = state.own, last >= own {
                // Its number is its own, but what follows it is not.
                tell(through: own &- 1, &state)
                state.isPresumed = true
                state.known = own
            }
            tell(through: last, &state)
        }
    }

    private func tell(through last: UInt64, _ state: inout State) {
        guard last > state.known else { return }
        let numbers = state.known &+ 1...last
        state.known = last
        // Under the lock, so that commits are announced in the order of their numbers.
        if state.isWatching { tell(numbers) }
    }
}
