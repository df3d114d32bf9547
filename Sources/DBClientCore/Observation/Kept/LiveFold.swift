/// What is kept of the rows of a query so that a row that is written changes it at the cost of that row.
///
/// A node over weighted changes, as in DBSP (Budiu and others, "DBSP: Automatic Incremental View Maintenance for Rich
/// Query Languages", 2023): a row as it was has the weight -1, the row as it is 1, and nothing else is looked at. What
/// rows of one commit do is the same in any order.
protocol KeptState: AnyObject, Sendable {
    /// Whether what observers are shown may have changed since this was last false.
    var hasChanged: Bool { get }

    /// Takes a row as it was and as it is, where it fulfils the condition of one of the inputs.
    ///
    /// - Returns: Whether the rows tell what that does; if not, the state must be read again.
    func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool
}

/// One observer of what is kept.
protocol KeptSubscriber: AnyObject, Sendable {
    var engine: any Engine { get }

    func end(_ error: DBClientError)
}

/// What is made of the rows of a query and kept for all its observers: confined to the hub.
///
/// It is read once. From then on a commit changes it by its own rows; where these do not tell what changed, or are not
/// known, it is read again.
class LiveFold<State: KeptState, Subscriber: KeptSubscriber>: SharedSubscriber, @unchecked Sendable
{
    private enum Phase {
        /// No subscriber has asked yet.
        case idle
        case reading
        /// Read, and waiting for the commits up to a number, which may be in what was read.
        case waiting(UInt64)
        case live
    }

    /// What a reading has found.
    private struct Reading {
        let state: State
        /// Every commit up to this number is in it.
        let includes: UInt64
        /// No commit after this number is in it.
        var mayInclude: UInt64
    }

    private let read: @Sendable (any EngineReader) throws -> State
    private let concern: QueryDependencies
    /// The rows that decide; none where those of a commit do not tell what it changed.
    private let inputs: [FoldInput]
    /// What a first small statement asks for.
    private let first: RowQuery
    private let hub: ChangeHub
    private(set) final var subscribers: [Subscriber] = []
    /// Those that came while the state was read: what is read may be older than what they have seen.
    private var late: [Subscriber] = []
    /// What was read last and changed since; nil before the first reading and after a failure.
    private(set) final var state: State?
    private var phase = Phase.idle
    /// The commits that were made while the rows were read.
    private var backlog: [CapturedCommit] = []
    private var backlogRows = 0
    /// Tells the present reading from those that were given up.
    private var reading = 0
    private var isWatching = false

    /// Creates what is kept of a query's rows, which has neither order nor window.
    ///
    /// Where rows of other models decide, all of it is read again after each commit that concerns it.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - hub: The hub that serves it.
    ///   - read: Reads the state, all of it in one snapshot.
    init(
        _ query: RowQuery,
        _ hub: ChangeHub,
        read: @escaping @Sendable (any EngineReader) throws -> State
    ) {
        self.hub = hub
        self.read = read
        inputs = FoldInput.inputs(of: query)
        first = RowQuery(inputs.first?.entity ?? query.entity, limit: 1)
        concern =
            query.isDecidedByOwnRows
            ? QueryDependencies(ownFieldsOf: query) : QueryDependencies(query)
    }

    // MARK: For subclasses

    /// Shows the state to some subscribers, after each commit that has changed it.
    ///
    /// - Throws: What makes it no value; it ends the observation.
    func show(_ state: State, to subscribers: [Subscriber]) throws {}

    /// Called when what was shown is not kept any longer.
    func didEnd() {}

    // MARK: Subscribers

    final var entityNames: Set<EntityName> { concern.names }
    final var selector: RowSelector? { concern.selector }
    final var hasSubscribers: Bool { !subscribers.isEmpty || !late.isEmpty }

    final func add(_ subscriber: Subscriber) {
        late.append(subscriber)
        if !isWatching {
            isWatching = true
            concern.watch(through: hub)
        }
        switch phase {
        case .idle: load()
        case .reading, .waiting: break
        case .live: showStateToLate()
        }
    }

    final func remove(_ subscriber: Subscriber) {
        subscribers.removeAll { $0 === subscriber }
        late.removeAll { $0 === subscriber }
    }

    /// Stops watching, once the last subscriber has gone.
    final func endWatching() {
        guard isWatching else { return }
        isWatching = false
        forget()
        concern.endWatching(through: hub)
    }

    final func end(subscribersOf engine: (any Engine)?, _ error: DBClientError) {
        for subscriber in subscribers + late where engine == nil || subscriber.engine === engine {
            subscriber.end(error)
        }
        subscribers.removeAll { engine == nil || $0.engine === engine }
        late.removeAll { engine == nil || $0.engine === engine }
        if !hasSubscribers { forget() }
    }

    private func forget() {
        phase = .idle
        state = nil
        backlog = []
        backlogRows = 0
        didEnd()
    }

    private func showState(to subscribers: [Subscriber]) {
        guard let state else { return }
        do {
            try show(state, to: subscribers)
        } catch {
            end(subscribersOf: nil, .wrapping(error))
        }
    }

    /// Shows the state to those that came while it was read, once it has every commit that was told since.
    private func showStateToLate() {
        guard case .live = phase, !late.isEmpty else { return }
        let arrived = late
        late = []
        subscribers += arrived
        showState(to: arrived)
    }

    // MARK: Reading

    private func load() {
        // What is read from now on has every commit that they know of.
        subscribers += late
        late = []
        guard let engine = subscribers.first?.engine else { return }
        phase = .reading
        reading += 1
        backlog = []
        backlogRows = 0
        let (hub, first, read, reading) = (hub, first, read, reading)
        Task.detached {
            let found: Result<Reading, any Error>
            do {
                let includes = hub.resolvedNumber
                var reading = try await engine.read { reader in
                    // The first statement decides what the snapshot has: what is committed while the rest is
                    // read is not in it.
                    _ = try reader.count(first)
                    let mayInclude = hub.begunNumber
                    return Reading(
                        state: try read(reader),
                        includes: includes,
                        mayInclude: mayInclude
                    )
                }
                if hub.mayTellLate { reading.mayInclude = await hub.settledNumber }
                found = .success(reading)
            } catch {
                found = .failure(error)
            }
            hub.perform { _ in self.take(found, from: engine, reading) }
        }
    }

    private func isCurrent(_ reading: Int) -> Bool {
        if case .reading = phase { reading == self.reading } else { false }
    }

    private func take(
        _ found: Result<Reading, any Error>,
        from engine: any Engine,
        _ reading: Int
    ) {
        guard isCurrent(reading) else { return }
        switch found {
        case .success(let found):
            backlog.removeAll { $0.number <= found.includes }
            state = found.state
            phase = .waiting(found.mayInclude)
            // What the store had at some commit, whatever is still to come.
            showState(to: subscribers)
            proceed()
        case .failure(let error): didFail(.wrapping(error), from: engine, reading)
        }
    }

    private func didFail(_ error: DBClientError, from engine: any Engine, _ reading: Int) {
        if error.isTransient, state != nil, hasSubscribers {
            Task.detached { [hub] in
                try? await Task.sleep(for: .retryInterval)
                hub.perform { _ in if self.isCurrent(reading) { self.load() } }
            }
            return
        }
        // The client that read may have been closed while others have the store open.
        if error.code == .closed { end(subscribersOf: engine, error) }
        if error.code == .closed, hasSubscribers { load() } else { end(subscribersOf: nil, error) }
    }

    final var isWaiting: Bool {
        if case .waiting = phase { true } else { false }
    }

    /// Looks whether the commits that the state waits for have ended.
    final func proceed() {
        guard case .waiting(let number) = phase, hub.hasHandedOver(number) else { return }
        if backlogRows > Self.backlogLimit || backlog.contains(where: { $0.first <= number }) {
            return load()
        }
        phase = .live
        let commits = backlog
        backlog = []
        backlogRows = 0
        for commit in commits { receive(commit) }
        showStateToLate()
    }

    /// More rows than this are not kept while the state is read; it is then read once more.
    private static var backlogLimit: Int { 262_144 }

    // MARK: Commits

    final func receive(_ commit: CapturedCommit) {
        switch phase {
        case .idle: break
        case .reading, .waiting:
            // A commit of other rows must not have what may have it read again.
            guard concerns(commit) else { return }
            backlogRows += max(commit.rowCount, 1)
            if backlogRows > Self.backlogLimit { backlog = [] } else { backlog.append(commit) }
        case .live:
            guard let state, take(commit, state) else { return load() }
            if state.hasChanged { showState(to: subscribers) }
        }
    }

    private func concerns(_ commit: CapturedCommit) -> Bool {
        commit.units.contains { unit in
            entityNames.contains(where: unit.unseen.contains)
                || unit.logs.contains { entityNames.contains($0.name) && concerns($0) }
        }
    }

    private func concerns(_ log: RowLog) -> Bool {
        let inputs = inputs.filter { $0.name == log.name }
        if inputs.isEmpty { return true }
        return inputs.contains { input in
            !input.entity.hasRows(of: log.entity)
                || log.entries.contains { input.concerns($0, of: log) }
        }
    }

    /// Changes the state by a commit, and returns whether its rows tell how.
    private func take(_ commit: CapturedCommit, _ state: State) -> Bool {
        for unit in commit.units {
            if entityNames.contains(where: unit.unseen.contains) { return false }
            for log in unit.logs where entityNames.contains(log.name) {
                if inputs.isEmpty { return false }
                for (index, input) in inputs.enumerated() where input.name == log.name {
                    guard input.entity.hasRows(of: log.entity),
                        Self.take(log, input.predicate, of: index, state)
                    else { return false }
                }
            }
        }
        return true
    }

    private static func take(
        _ log: RowLog,
        _ predicate: RowPredicate,
        of input: Int,
        _ state: State
    ) -> Bool {
        for entry in log.entries {
            let before = log.matches(entry.before, predicate)
            let after = log.matches(entry.after, predicate)
            guard before || after else { continue }
            let isKnown = state.take(
                before: before ? log.row(entry.before) : nil,
                after: after ? log.row(entry.after) : nil,
                of: input
            )
            if !isKnown { return false }
        }
        return true
    }
}
