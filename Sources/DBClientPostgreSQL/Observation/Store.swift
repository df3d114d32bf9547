import DBClientCore
import Synchronization

/// What the clients of one store in this process share.
///
/// The number of a commit is taken before the server is asked for it, for every client, so the hub has the
/// commits of all of them in order.
final class PostgreSQLStore: Sendable {
    /// The hub that announces its commits to the observers.
    let hub: ChangeHub
    /// The reader of the journal, which finds commits of other clients and processes.
    let journal: JournalReader
    /// The names by which its tables go.
    private let names: TableNames
    private let count = Atomic<UInt64>(0)

    private init(_ identity: StoreIdentity) {
        names = TableNames.of(identity)
        hub = ChangeHub()
        journal = JournalReader(hub)
    }

    /// How many writes have ended that a later read must see.
    var writes: UInt64 { count.load(ordering: .acquiring) }

    /// Counts a write, before any observer is notified of it.
    func noteWrite() {
        count.add(1, ordering: .acquiringAndReleasing)
    }

    /// Notifies the observers of what other clients committed before a commit of ours that has just succeeded,
    /// which is announced after that.
    ///
    /// - Returns: The entities that the transaction wrote, as far as the journal is written for them.
    func lookAfterCommit(of number: UInt64?, on connection: PostgreSQLConnection) -> Set<String> {
        guard journal.isAwaited else { return [] }
        do {
            return try journal.look(through: connection, telling: number) { noteWrite() }.written
        } catch {
            // There may have been foreign commits before it, or not.
            noteWrite()
            hub.noteForeignCommit()
            return []
        }
    }

    private struct WeakStore {
        weak var store: PostgreSQLStore?
    }

    private static let stores = Mutex<[StoreIdentity: WeakStore]>([:])

    /// Returns the store of this identity.
    static func of(_ identity: StoreIdentity) -> PostgreSQLStore {
        stores.withLock { stores in
            if let store = stores[identity]?.store { return store }
            stores = stores.filter { $0.value.store != nil }
            let store = PostgreSQLStore(identity)
            stores[identity] = WeakStore(store: store)
            return store
        }
    }
}
