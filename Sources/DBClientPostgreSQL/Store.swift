import DBClientCore
import Synchronization

/// Which tables a session reads and writes, among those of all servers that this process uses.
struct StoreIdentity: Hashable {
    /// The cluster, of which a standby is a part.
    let cluster: Int64
    /// Whether the session's server only follows another one, and may be behind.
    let isStandby: Bool
    let database: String
    let schema: String
    /// The process.
    let process: String
}

/// What the clients of one store in this process share.
///
/// The number of a commit is taken before the server is asked for it, whoever's client it is, so the hub
/// has the commits of all of them in order.
final class PostgreSQLStore: Sendable {
    /// Where its commits are told.
    let hub = ChangeHub()
    private let count = Atomic<UInt64>(0)

    /// How many writes have ended that a later read shall see.
    var writes: UInt64 { count.load(ordering: .acquiring) }

    /// Counts a write, before anybody is told of it.
    func noteWrite() {
        count.add(1, ordering: .acquiringAndReleasing)
    }

    /// What the journal is asked for of transactions of ours.
    let untouched = UntouchedEntities()

    /// The numbers of transactions of ours whose commit was not answered and may still take place; the
    /// last few.
    var doubtful: [UInt64] { doubtfulNumbers.withLock { $0 } }
    private let doubtfulNumbers = Mutex<[UInt64]>([])
    private static let doubtfulLimit = 256

    /// Notes that a transaction may be committed later than its end is told.
    func noteDoubt(of transaction: UInt64) {
        doubtfulNumbers.withLock { numbers in
            if numbers.count == Self.doubtfulLimit { numbers.removeFirst() }
            numbers.append(transaction)
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
            let store = PostgreSQLStore()
            stores[identity] = WeakStore(store: store)
            return store
        }
    }
}
