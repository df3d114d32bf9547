import CLibPQ
import DBClientCore
import Synchronization

/// Learns of the commits of other clients from the journal that triggers write, as long as somebody
/// observes.
final class JournalWatch: ForeignCommits {
    private let pool: ConnectionPool
    /// Holds this.
    private weak let store: PostgreSQLStore?
    private let listener = Mutex<JournalListener?>(nil)

    init(_ pool: ConnectionPool, _ store: PostgreSQLStore) {
        self.pool = pool
        self.store = store
    }

    func beginWatching() {
        guard let store else { return }
        store.journal.beginWatching()
        let new = JournalListener(pool.parameters, pool.configuration, store) { [weak pool] in
            pool?.makeRoom()
        }
        listener.withLock { $0 = new }
        new.start()
    }

    /// Nothing: the listener looks when the server calls, and often.
    func look() {}

    /// Where there is a journal, what others committed is found when it is read.
    var mayTellLate: Bool { store?.journal.isAwaited ?? false }

    /// Waits for a look that begins after whatever was read.
    func settle() async {
        await listener.withLock { $0 }?.settle()
    }

    func endWatching() {
        let isWatching = listener.withLock { listener in
            defer { listener = nil }
            listener?.stop()
            return listener != nil
        }
        if isWatching { store?.journal.endWatching() }
    }
}
