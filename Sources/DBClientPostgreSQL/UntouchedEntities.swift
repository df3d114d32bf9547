import DBClientCore
import Synchronization

/// The entities that transactions of ours did nothing to while somebody observed them.
///
/// What the server writes of them all the same, through a trigger or a rule of deletion, the journal tells.
final class UntouchedEntities: Sendable {
    private struct State {
        var names: [UInt64: Set<EntityName>] = [:]
        var hasForgotten = false
    }

    private let state = Mutex(State())
    private let journal = Atomic(false)

    /// So many transactions wait for a look into the journal at most.
    private static let limit = 4_096

    /// Whether there is a journal that is read for observers.
    var areAskedFor: Bool {
        get { journal.load(ordering: .relaxed) }
        set { journal.store(newValue, ordering: .relaxed) }
    }

    /// Notes a transaction by its number, before its commit.
    func note(_ names: Set<EntityName>, in transaction: UInt64) {
        if names.isEmpty { return }
        state.withLock { state in
            if state.names.count == Self.limit {
                state.names = [:]
                state.hasForgotten = true
            }
            state.names[transaction] = names
        }
    }

    /// The numbers of the transactions to be looked for.
    var transactions: [UInt64] { state.withLock { Array($0.names.keys) } }

    /// Returns which entities transactions have written all the same, and forgets those that have ended.
    ///
    /// - Parameters:
    ///   - written: What the journal has of the transactions that were looked for.
    ///   - asked: The numbers of those.
    ///   - oldest: Every transaction before it has ended.
    /// - Returns: The entities; nil when there were too many transactions to tell.
    func take(
        _ written: [(transaction: UInt64, entity: String)],
        of asked: [UInt64],
        before oldest: UInt64
    ) -> Set<String>? {
        state.withLock { state in
            let found = written.filter {
                state.names[$0.transaction]?.contains(EntityName($0.entity)) == true
            }
            for number in written.map(\.transaction) + asked.filter({ $0 < oldest }) {
                state.names[number] = nil
            }
            defer { state.hasForgotten = false }
            return state.hasForgotten ? nil : Set(found.map(\.entity))
        }
    }
}
