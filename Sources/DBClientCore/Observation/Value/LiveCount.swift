/// The number of rows that fulfil a condition, kept for all its observers: confined to the hub.
///
/// It is counted once. From then on a commit changes it by its own rows, where they alone decide; where
/// other rows decide too, or the rows are not known, it is counted again.
final class LiveCount: SharedSubscriber, @unchecked Sendable {
    private enum Phase {
        /// No subscriber has asked for the count yet.
        case idle
        case reading
        /// Counted, and waiting for the commits up to a number, which may be in the count.
        case waiting(count: Int, UInt64)
        case live
    }

    /// The effect of a commit that was made while the rows were counted.
    private struct Step {
        var first: UInt64
        var number: UInt64
        /// Nil where it is not known.
        var change: Int?
    }

    private let concern: QueryDependencies
    private let query: RowQuery
    /// Asked of written rows, where they alone decide.
    private let predicate: RowPredicate?
    private let hub: ChangeHub
    private var subscribers: [CountSubscriber] = []
    private var phase = Phase.idle
    /// The last number that was shown.
    private var count: Int?
    private var backlog: [Step] = []
    /// Tells the present reading from those that were given up.
    private var reading = 0
    private var isWatching = false

    /// More commits than this are kept as one while rows are counted.
    private static let backlogLimit = 1_024

    /// Creates the number of a query's rows, which has no order, limit and offset.
    init(_ query: RowQuery, _ hub: ChangeHub) {
        self.query = query
        self.hub = hub
        concern = QueryDependencies(query)
        predicate = concern.isOfOwnRows ? RowPredicate(query.condition, of: query.entity) : nil
    }

    var entityNames: Set<EntityName> { concern.names }
    var selector: RowSelector? { concern.selector }

    // MARK: Subscribers

    var hasSubscribers: Bool { !subscribers.isEmpty }

    func add(_ subscriber: CountSubscriber) {
        subscribers.append(subscriber)
        if !isWatching {
            isWatching = true
            concern.watch(through: hub)
        }
        switch phase {
        case .idle: load()
        // The count's end shows it.
        case .reading: break
        case .waiting(let count, _): subscriber.show(count)
        case .live: if let count { subscriber.show(count) }
        }
    }

    func remove(_ subscriber: CountSubscriber) {
        subscribers.removeAll { $0 === subscriber }
    }

    /// Stops watching, once the last subscriber has gone.
    func endWatching() {
        guard isWatching else { return }
        isWatching = false
        phase = .idle
        concern.endWatching(through: hub)
    }

    func end(subscribersOf engine: (any Engine)?, _ error: DBClientError) {
        for subscriber in subscribers where engine == nil || subscriber.engine === engine {
            subscriber.mailbox.end(error)
        }
        subscribers.removeAll { engine == nil || $0.engine === engine }
        if subscribers.isEmpty { (phase, count) = (.idle, nil) }
    }

    private func show(_ count: Int) {
        self.count = count
        for subscriber in subscribers { subscriber.show(count) }
    }

    // MARK: Counting

    private func load() {
        guard let engine = subscribers.first?.engine else { return }
        phase = .reading
        reading += 1
        backlog = []
        let (hub, query, reading) = (hub, query, reading)
        Task.detached {
            let counted: Result<(Int, includes: UInt64, mayInclude: UInt64), any Error>
            do {
                let first = hub.resolvedNumber
                let count = try await engine.read { try $0.count(query) }
                counted = .success((count, first, hub.begunNumber))
            } catch {
                counted = .failure(error)
            }
            hub.perform { _ in self.take(counted, from: engine, reading) }
        }
    }

    private func isCurrent(_ reading: Int) -> Bool {
        if case .reading = phase { reading == self.reading } else { false }
    }

    private func take(
        _ counted: Result<(Int, includes: UInt64, mayInclude: UInt64), any Error>,
        from engine: any Engine,
        _ reading: Int
    ) {
        guard isCurrent(reading) else { return }
        switch counted {
        case .success((let count, let includes, let mayInclude)):
            backlog.removeAll { $0.number <= includes }
            // The number that the store had at some commit, whatever is still to come.
            show(count)
            phase = .waiting(count: count, mayInclude)
            proceed()
        case .failure(let error): didFail(.wrapping(error), from: engine, reading)
        }
    }

    private func didFail(_ error: DBClientError, from engine: any Engine, _ reading: Int) {
        if error.isTransient, count != nil, hasSubscribers {
            Task.detached { [hub] in
                try? await Task.sleep(for: .retryInterval)
                hub.perform { _ in if self.isCurrent(reading) { self.load() } }
            }
            return
        }
        // The client that read may have been closed while other clients have the store open.
        if error.code == .closed { end(subscribersOf: engine, error) }
        if error.code == .closed, hasSubscribers { load() } else { end(subscribersOf: nil, error) }
    }

    var isWaiting: Bool {
        if case .waiting = phase { true } else { false }
    }

    /// Looks whether the commits that the count waits for have ended.
    func proceed() {
        guard case .waiting(let count, let number) = phase, hub.hasHandedOver(number) else {
            return
        }
        if backlog.contains(where: { $0.first <= number }) { return load() }
        phase = .live
        let steps = backlog
        backlog = []
        self.count = count
        for step in steps { take(step.change) }
    }

    // MARK: Commits

    func receive(_ commit: CapturedCommit) {
        let change = change(of: commit)
        if change == 0 { return }
        switch phase {
        case .live: take(change)
        case .reading, .waiting:
            if backlog.count == Self.backlogLimit {
                let first = backlog[0].first
                backlog = [Step(first: first, number: commit.number, change: nil)]
            } else {
                backlog.append(Step(first: commit.first, number: commit.number, change: change))
            }
        case .idle: break
        }
    }

    private func take(_ change: Int?) {
        guard case .live = phase else { return }
        if let change, let count { show(count + change) } else { load() }
    }

    /// Returns by how much a commit changes the number; nil when its rows do not tell.
    private func change(of commit: CapturedCommit) -> Int? {
        var change = 0
        for unit in commit.units {
            if entityNames.contains(where: unit.unseen.contains) { return nil }
            for log in unit.logs where entityNames.contains(log.name) {
                guard let predicate, query.entity.hasRows(of: log.entity) else { return nil }
                for entry in log.entries {
                    if log.matches(entry.before, predicate) { change -= 1 }
                    if log.matches(entry.after, predicate) { change += 1 }
                }
            }
        }
        return change
    }
}

/// One observer of a number: the part of it that a request's limit and offset leave.
final class CountSubscriber: Sendable {
    let engine: any Engine
    let mailbox = ValueMailbox<Int> { $0 == $1 }
    /// Kept open while it is observed.
    private let client: any DBClient
    private let offset: Int
    private let limit: Int

    init(_ query: RowQuery, engine: any Engine, client: any DBClient) {
        self.engine = engine
        self.client = client
        offset = query.offset
        limit = query.limit ?? .max
    }

    func show(_ count: Int) {
        mailbox.put(count > offset ? min(count - offset, limit) : 0)
    }
}
