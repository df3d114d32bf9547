import DBClientCore
import Synchronization

/// This process among those that observe the store: what it observes, and whether the store knows.
///
/// What it begins to observe is written soon. What it observes no more stays written until something is
/// added, or nothing is left, so that observers that come and go write nothing.
final class Registration: Sendable {
    private struct State {
        /// The entities that this process observes.
        var names = Set<EntityName>()
        /// The entities that the store has registered for it.
        var stored = Set<EntityName>()
        /// What the transaction that runs has written.
        var written: Set<EntityName>?
        /// Whether the next transaction must write it.
        var isPending = false
        /// Whether a transaction is wanted for that.
        var isWished = false

        var isDue: Bool { names.isEmpty ? !stored.isEmpty : !names.isSubset(of: stored) }
    }

    private let table: WatcherTable
    private let state = Mutex(State())

    init(_ table: WatcherTable) {
        self.table = table
    }

    /// Learns what is observed, and returns whether a transaction must write it.
    func observe(_ names: Set<EntityName>) -> Bool {
        state.withLock { state in
            state.names = names
            state.isPending = state.isDue
            return state.isPending
        }
    }

    /// Compares with what a snapshot has, and wishes for a transaction when that is not what is observed:
    /// another process may have taken this one for dead.
    func verify(in reader: StoreReader) {
        guard let found = try? table.names(of: Environment.ownProcess, in: reader) ?? [] else {
            return
        }
        state.withLock { state in
            if state.written != nil { return }
            state.stored = found
            state.isPending = state.isDue
            state.isWished = state.isPending
        }
    }

    /// Returns once whether a transaction is wished for.
    func takeWish() -> Bool {
        state.withLock { state in
            defer { state.isWished = false }
            return state.isWished
        }
    }

    /// Notes what the store has of a process with this one's id: an earlier one may have left it, and
    /// another one taken it away.
    func noteStored(_ names: Set<EntityName>) {
        state.withLock { state in
            state.stored = names
            state.isPending = state.isDue
        }
    }

    // MARK: Transactions

    /// Writes what is due, and returns whether that was that nothing is observed.
    func write(in writer: StoreWriter) throws -> Bool {
        let names = state.withLock { $0.isPending ? $0.names : nil }
        guard let names else { return false }
        try table.set(names, of: Environment.ownProcess, in: writer)
        state.withLock { $0.written = names }
        return names.isEmpty
    }

    /// Ends the transaction: what it wrote of this process is stored if it has committed.
    func endTransaction(hasCommitted: Bool) {
        state.withLock { state in
            guard let written = state.written else { return }
            state.written = nil
            guard hasCommitted else { return }
            state.stored = written
            state.isPending = state.isDue
        }
    }

    /// Goes without: the store takes no more.
    func giveUp() {
        state.withLock { $0.isPending = false }
    }
}
