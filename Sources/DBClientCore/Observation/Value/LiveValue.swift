/// A value that is recomputed when a commit may have changed it, for all its observers: confined to the hub,
/// except for what it delivers.
///
/// What it depends on is given by a query, or told by each computation. Then it is computed once more whenever it comes
/// to depend on rows that were not watched while they were read.
final class LiveValue<Value: Sendable>: SharedSubscriber, @unchecked Sendable {
    /// A value, and what was read for it; nil where a query says what it depends on.
    typealias Computed = (value: Value, reads: ReadDependencies?)

    private var watched: WatchedReads
    private let hub: ChangeHub
    private let engine: any Engine
    private let compute: @Sendable () async throws -> Computed
    private var mailboxes: [ValueMailbox<Value>] = []
    private var isWatching = false
    /// The number of the computation under way.
    private var computing: Int?
    private var computations = 0
    /// Whether a commit came while the value was computed.
    private var isOutdated = false
    /// How many computations in a row read rows that were not watched.
    private var unwatched = 0
    /// Whether whole entities are watched since computations went on reading other rows.
    private var isWide = false
    /// The value computed last, as long as nothing has failed since.
    private var value: Value?

    /// After so many computations in a row that read other rows each time, whole entities are watched.
    private static var unwatchedLimit: Int { 3 }

    /// Creates a value that depends on the rows of a query.
    init(
        _ query: RowQuery,
        _ source: (hub: ChangeHub, engine: any Engine),
        compute: @escaping @Sendable () async throws -> Value
    ) {
        watched = WatchedReads(query)
        (hub, engine) = source
        self.compute = { (try await compute(), nil) }
    }

    /// Creates a value that depends on what was read for it.
    init(
        _ source: (hub: ChangeHub, engine: any Engine),
        compute: @escaping @Sendable () async throws -> (Value, ReadDependencies)
    ) {
        watched = WatchedReads(ReadDependencies())
        (hub, engine) = source
        self.compute = {
            let (value, reads) = try await compute()
            return (value, reads)
        }
    }

    var entityNames: Set<EntityName> { watched.names }
    var selector: RowSelector? { watched.selector }

    // MARK: Observers

    var hasSubscribers: Bool { !mailboxes.isEmpty }

    func add(_ mailbox: ValueMailbox<Value>) {
        mailboxes.append(mailbox)
        if !isWatching {
            isWatching = true
            watched.begin(through: hub)
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
        watched.end(through: hub)
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
        if !hasSubscribers || isOutdated || !commit.units.contains(where: watched.concerns) {
            return
        }
        if computing != nil { isOutdated = true } else { update() }
    }

    // MARK: Computing

    private func update() {
        computations += 1
        computing = computations
        isOutdated = false
        Task.detached { [self, computations, compute, hub] in
            let computed: Result<Computed, any Error>
            do {
                computed = .success(try await compute())
            } catch {
                computed = .failure(error)
            }
            hub.perform { self.take(computed, of: computations, in: $0) }
        }
    }

    private func take(
        _ computed: Result<Computed, any Error>,
        of computation: Int,
        in registry: ObserverRegistry
    ) {
        guard computation == computing else { return }
        switch computed {
        case .success((let value, let reads)):
            self.value = value
            computing = nil
            if let reads { watch(reads, in: registry) }
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

    /// Watches what was read, and has it read again unless it was watched already.
    private func watch(_ reads: ReadDependencies, in registry: ObserverRegistry) {
        var reads = reads
        if isWide { reads = watched.reads.widened(with: reads) }
        if reads == watched.reads {
            unwatched = 0
            return
        }
        if watched.covers(reads) {
            unwatched = 0
        } else {
            unwatched += 1
            // What reads other rows each time, as by the present time, would be read for ever.
            if unwatched == Self.unwatchedLimit {
                isWide = true
                reads = watched.reads.widened(with: reads)
            }
            isOutdated = true
        }
        registry.remove(self)
        let old = watched
        watched = WatchedReads(reads)
        watched.begin(through: hub)
        old.end(through: hub)
        registry.add(self)
    }
}

/// The identity of an observed value: observers of equal ones share it.
struct SharedValueID: Hashable, Sendable {
    private let query: RowQuery
    private let function: AggregateFunction
    private let field: RowGrouping.Key
    private let engine: ObjectIdentifier
    /// The Swift type that the value is decoded as.
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
