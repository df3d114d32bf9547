import CLMDB
import DBClientCore
import Synchronization

/// Tells the commits of other processes from those of this one, by LMDB's transaction numbers: each
/// commit that writes takes the next.
final class CommitClock: ForeignCommits {
    private struct State {
        var isWatching = false
        /// Every commit up to this number is this process's own or was told.
        var known: UInt64 = 0
        /// The number of the write transaction that this process has open.
        var own: UInt64?
    }

    private let environment: Environment
    private let state = Mutex(State())
    /// Holds this.
    private weak let hub: ChangeHub?

    init(_ environment: Environment, _ hub: ChangeHub) {
        self.environment = environment
        self.hub = hub
    }

    func beginWatching() {
        let last = environment.lastCommit
        state.withLock { state in
            state.isWatching = true
            state.known = max(state.known, last ?? 0)
        }
    }

    func endWatching() {
        state.withLock { $0.isWatching = false }
    }

    /// Learns the number of the write transaction that runs: every smaller one has ended.
    ///
    /// Called when it begins and before it commits, since undoing a savepoint may have begun it anew.
    func enter(_ number: UInt64) {
        let isForeign = state.withLock { state in
            defer {
                state.own = number
                state.known = max(state.known, number - 1)
            }
            return state.isWatching && number - 1 > state.known
        }
        if isForeign { hub?.noteForeignCommit() }
    }

    /// Learns that the write transaction ended.
    func leave(hasCommitted: Bool) {
        let last = hasCommitted ? environment.lastCommit : nil
        state.withLock { state in
            // A commit of nothing takes no number.
            if let last, let own = state.own, last >= own { state.known = max(state.known, own) }
            state.own = nil
        }
    }

    func look() {
        guard let last = environment.lastCommit else { return }
        let isForeign = state.withLock { state in
            guard state.isWatching, last > state.known, last != state.own else { return false }
            state.known = last
            return true
        }
        if isForeign { hub?.noteForeignCommit() }
    }
}
