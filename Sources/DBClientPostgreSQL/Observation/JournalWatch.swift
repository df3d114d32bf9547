import DBClientCore
import Dispatch
import Synchronization

/// Learns of the commits of other clients from the journal that triggers write, as long as there is an
/// observer, and a while longer: an observer that comes soon after uses the same listener.
final class JournalWatch: ForeignCommits {
    private struct State {
        var listener: JournalListener?
        /// Whether this client has an observer.
        var isWatching = false
        /// How often watching has begun, which tells one time of watching from the next.
        var count = 0
    }

    private let pool: ConnectionPool
    /// Weak, since the store's hub holds this watch.
    private weak let store: PostgreSQLStore?
    private let state = Mutex(State())

    /// How long the listener outlives the last observation, in seconds: to begin one takes a connection and a
    /// thread otherwise.
    static let grace = 5

    init(_ pool: ConnectionPool, _ store: PostgreSQLStore) {
        self.pool = pool
        self.store = store
    }

    func beginWatching() {
        guard let store else { return }
        let new = state.withLock { state -> JournalListener? in
            state.isWatching = true
            state.count += 1
            if state.listener != nil { return nil }
            store.journal.beginWatching()
            state.listener = JournalListener(pool, store)
            return state.listener
        }
        new?.start()
    }

    /// Nothing: the listener looks when the server calls, and often.
    func look() {}

    /// Where there is a journal, foreign commits are found when it is read.
    var mayTellLate: Bool { store?.journal.isAwaited ?? false }

    /// Waits for a look that begins after whatever was read.
    func settle() async {
        await state.withLock { $0.listener }?.settle()
    }

    func endWatching() {
        let count = state.withLock { state in
            state.isWatching = false
            return state.count
        }
        let end = DispatchTime.now() + .seconds(Self.grace)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak self] in
            self?.stop { !$0.isWatching && $0.count == count }
        }
    }

    /// Ends the listener at once, since the client is closed.
    func close() {
        stop { _ in true }
    }

    private func stop(where mayStop: (State) -> Bool) {
        let listener = state.withLock { state in
            mayStop(state) ? state.listener.take() : nil
        }
        guard let listener else { return }
        listener.stop()
        store?.journal.endWatching()
    }
}
