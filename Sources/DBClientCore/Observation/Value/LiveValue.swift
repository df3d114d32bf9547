/// A value that is recomputed when a commit may have changed it, for all its observers: confined to the hub,
/// except for what it delivers.
final class LiveValue<Value: Sendable>: SharedSubscriber, @unchecked Sendable {
    private let concern: QueryDependencies
    private let name: EntityName
    private let predicate: RowPredicate
    private let entity: EntitySchema
    private let hub: ChangeHub
    private let engine: any Engine
    private let compute: @Sendable () async throws -> Value
    private var mailboxes: [ValueMailbox<Value>] = []
    private var isWatching = false
    /// The number of the computation under way.
    private var computing: Int?
    private var computations = 0
    /// Whether a commit came while the value was computed.
    private var isOutdated = false
    /// The value computed last, as long as nothing has failed since.
    private var value: Value?

    init(
        _ query: RowQuery,
        _ source: (hub: ChangeHub, engine: any Engine),
        compute: @escaping @Sendable () async throws -> Value
    ) {
        entity = query.entity
        name = entity.exactName
        concern = QueryDependencies(query)
        predicate = RowPredicate(query.condition, of: entity)
        (hub, engine) = source
        self.compute = compute
    }

    var entityNames: Set<EntityName> { concern.names }
    var selector: RowSelector? { concern.selector }

    // MARK: Observers

    var hasSubscribers: Bool { !mailboxes.isEmpty }

    func add(_ mailbox: ValueMailbox<Value>) {
        mailboxes.append(mailbox)
        if !isWatching {
            isWatching = true
            concern.watch(through: hub)
        }
        // The end of a computation shows it.
        if computing != nil { return }
        if let value { mailbox.put(value) } else { update() }
    }

    func remove(_ mailbox: ValueMailbox<Value>) {
        mailboxes.removeAll { $0 === mailbox }
    }

    /// Stops watching, once the last observer has gone.
    func endWatching() {
        guard isWatching else { return }
        isWatching = false
        computing = nil
        concern.endWatching(through: hub)
    }

    func end(subscribersOf engine: (any Engine)?, _ error: DBClientError) {
        if engine == nil || engine === self.engine { end(error) }
    }

    private func end(_ error: DBClientError) {
        for mailbox in mailboxes { mailbox.end(error) }
        mailboxes = []
        value = nil
        endWatching()
    }

    // MARK: Commits

    /// False: a computation that a commit outdates is repeated, so none has to end first.
    var isWaiting: Bool { false }

    func proceed() {}

    func receive(_ commit: CapturedCommit) {
        if !hasSubscribers || isOutdated || !commit.units.contains(where: concerns) { return }
        if computing != nil { isOutdated = true } else { update() }
    }

    /// Whether a unit touched a row that counts.
    private func concerns(_ unit: CapturedUnit) -> Bool {
        // What goes through relationships is not decided by one row.
        if !concern.isOfOwnRows {
            return entityNames.contains(where: unit.unseen.contains)
                || unit.logs.contains { entityNames.contains($0.name) }
        }
        if unit.unseen.contains(name) { return true }
        return unit.logs.contains { log in
            guard log.name == name else { return false }
            if log.entity !== entity, log.entity.fields != entity.fields { return true }
            return log.entries.contains { entry in
                guard log.matches(entry.before, predicate) || log.matches(entry.after, predicate)
                else { return false }
                guard let before = log.row(entry.before), let after = log.row(entry.after) else {
                    return true
                }
                return !before.isSame(after)
            }
        }
    }

    // MARK: Computing

    private func update() {
        computations += 1
        computing = computations
        isOutdated = false
        Task.detached { [self, computations, compute, hub] in
            let computed: Result<Value, any Error>
            do {
                computed = .success(try await compute())
            } catch {
                computed = .failure(error)
            }
            hub.perform { _ in self.take(computed, of: computations) }
        }
    }

    private func take(_ computed: Result<Value, any Error>, of computation: Int) {
        guard computation == computing else { return }
        switch computed {
        case .success(let value):
            self.value = value
            computing = nil
            for mailbox in mailboxes { mailbox.put(value) }
            if isOutdated { update() }
        case .failure(let error):
            let error = DBClientError.wrapping(error)
            guard value != nil, error.isTransient else { return end(error) }
            Task.detached { [self, hub] in
                try? await Task.sleep(for: .retryInterval)
                hub.perform { _ in
                    if computation == self.computing { self.update() }
                }
            }
        }
    }
}

/// The identity of an observed value: observers of equal ones share it.
struct SharedValueID: Hashable, Sendable {
    private let query: RowQuery
    private let function: AggregateFunction
    private let field: RowGrouping.Key
    private let engine: ObjectIdentifier
    /// The type of the value.
    private let type: ObjectIdentifier

    init(
        _ function: AggregateFunction,
        _ field: RowGrouping.Key,
        of query: RowQuery,
        _ engine: any Engine,
        as type: Any.Type
    ) {
        self.query = query
        self.function = function
        self.field = field
        self.engine = ObjectIdentifier(engine)
        self.type = ObjectIdentifier(type)
    }
}
