/// The models with relationships that a client uses, whose rules of deletion the store is to take over.
///
/// An engine has one for a client, or for the clients that share a store, and notes in it each entity when it first
/// comes to its table. A read cannot write, so a model waits here for the next transaction that deletes or saves
/// values with relationships.
///
/// A model is taken over once in the life of a client. So of two versions of a program the one that came last
/// decides, and the other does not change the rules back with each write.
public final class ModelUsage: Sendable {
    private struct State {
        var seen: Set<ObjectIdentifier> = []
        /// In the order in which they came.
        var waiting: [Waiting] = []
        /// The models that the store cannot keep.
        var unkept: [EntitySchema] = []
    }

    /// A model until the store is found to have what it says.
    private struct Waiting {
        let entity: EntitySchema
        /// Whether a transaction has written what the model says; it may have been undone.
        var isWritten = false
        /// The description that the store had before, if it had one.
        var replaced: String?
    }

    private let state = UnfairMutex(State())

    /// Creates a usage in which no model was noted.
    public init() {}

    /// Notes that a model is used; nothing for one that has no relationship, since that may be a part of another.
    public func note(_ entity: EntitySchema) {
        if entity.isFlat { return }
        state.withLock { state in
            guard state.seen.insert(ObjectIdentifier(entity)).inserted else { return }
            state.waiting.removeAll { $0.entity.exactName == entity.exactName }
            state.waiting.append(Waiting(entity: entity))
        }
    }

    /// The models that were noted and wait to be written.
    var waiting: [EntitySchema] { state.withLock { $0.waiting.map(\.entity) } }

    /// The models whose rules hold for the client alone.
    var unkept: [EntitySchema] { state.withLock { $0.unkept } }

    func isWaiting(_ entity: EntitySchema) -> Bool {
        state.withLock { $0.waiting.contains { $0.entity === entity } }
    }

    /// Notes that the store has what a model says.
    func settle(_ entity: EntitySchema) {
        state.withLock { $0.waiting.removeAll { $0.entity === entity } }
    }

    /// Notes that nothing of a model is stored yet, so that its next use counts.
    func postpone(_ entity: EntitySchema) {
        state.withLock { state in
            state.waiting.removeAll { $0.entity === entity }
            state.seen.remove(ObjectIdentifier(entity))
        }
    }

    /// Notes that a transaction writes what a model says in the place of something else.
    func noteWrite(of entity: EntitySchema, replacing replaced: String?) {
        state.withLock { state in
            for index in state.waiting.indices where state.waiting[index].entity === entity {
                state.waiting[index].isWritten = true
                state.waiting[index].replaced = replaced
            }
        }
    }

    /// Returns whether another client has come after the one that wrote what a model says: then the store has
    /// neither that nor what was there before, as it has when the transaction was undone.
    func isOutdated(_ entity: EntitySchema, by kept: String?) -> Bool {
        state.withLock { state in
            state.waiting.contains {
                $0.entity === entity && $0.isWritten && $0.replaced != kept
            }
        }
    }

    /// Notes that the store cannot keep what a model says.
    func keepHere(_ entity: EntitySchema) {
        state.withLock { state in
            state.waiting.removeAll { $0.entity === entity }
            state.unkept.removeAll { $0.exactName == entity.exactName }
            state.unkept.append(entity)
        }
    }
}
