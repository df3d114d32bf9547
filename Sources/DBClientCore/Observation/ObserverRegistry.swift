/// A subscriber to commits: confined to the hub.
protocol CommitSubscriber: AnyObject, Sendable {
    /// The entities whose commits are wanted, by their names.
    var entityNames: Set<EntityName> { get }

    /// The field and the value that a row must have to concern the subscriber; nil when others do too.
    var selector: RowSelector? { get }

    /// Takes a commit that touches one of the entities; they come in order.
    func receive(_ commit: CapturedCommit)

    /// Ends those of an engine's client, or all.
    func end(subscribersOf engine: (any Engine)?, _ error: DBClientError)
}

/// The observers of a store, and the results that are kept for them: confined to the hub.
final class ObserverRegistry: @unchecked Sendable {
    private var results: [ResultID: LiveQuery] = [:]
    private var counts: [RowQuery: LiveCount] = [:]
    private var values: [SharedValueID: any CommitSubscriber] = [:]
    private var feeds: [LiveQuery] = []
    @exclusivity(unchecked) private var subscribers: [EntityName: EntitySubscribers] = [:]
    private var closed: [ClosedEngine] = []

    /// An engine whose client was closed, and the error that ends its observers.
    private struct ClosedEngine {
        weak var engine: (any Engine)?
        let error: DBClientError
    }

    /// The identity of a result: subscribers with equal ones share the result.
    struct ResultID: Hashable, Sendable {
        private let query: RowQuery
        /// The type of what makes the entries.
        private let coder: ObjectIdentifier

        init<Coder>(query: RowQuery, _ coder: Coder) {
            self.query = query
            self.coder = ObjectIdentifier(Coder.self)
        }
    }

    /// Adds a subscriber to the result of a query; equal queries share one.
    func attach(_ subscriber: ResultSubscriber, to id: ResultID, _ make: () -> LiveQuery) {
        if let error = failure(of: subscriber.engine) { return subscriber.end(error) }
        if let result = results[id] { return result.add(subscriber) }
        let result = make()
        results[id] = result
        add(result)
        result.add(subscriber)
    }

    /// Removes a subscriber; a result without subscribers is dropped.
    func detach(_ subscriber: ResultSubscriber, from id: ResultID) {
        guard let result = results[id] else { return }
        result.remove(subscriber)
        if !result.hasSubscribers { drop(result, id) }
    }

    /// Adds a subscriber to the number of a query's rows; equal queries share one.
    func attach(_ subscriber: CountSubscriber, to query: RowQuery, _ make: () -> LiveCount) {
        if let error = failure(of: subscriber.engine) { return subscriber.mailbox.end(error) }
        if let count = counts[query] { return count.add(subscriber) }
        let count = make()
        counts[query] = count
        add(count)
        count.add(subscriber)
    }

    /// Removes a subscriber; a number without subscribers is dropped.
    func detach(_ subscriber: CountSubscriber, from query: RowQuery) {
        guard let count = counts[query] else { return }
        count.remove(subscriber)
        if !count.hasSubscribers { drop(count, query) }
    }

    /// Adds an observer to a value, or to the equal one that others observe already.
    func attach<Value>(
        _ mailbox: ValueMailbox<Value>,
        to value: LiveValue<Value>,
        sharedBy id: SharedValueID?
    ) {
        if let id {
            if let shared = values[id] as? LiveValue<Value> { return shared.add(mailbox) }
            values[id] = value
        }
        add(value)
        value.add(mailbox)
    }

    /// Removes an observer; a value without observers is dropped.
    func detach<Value>(
        _ mailbox: ValueMailbox<Value>,
        from value: LiveValue<Value>,
        sharedBy id: SharedValueID?
    ) {
        let value = id.flatMap { values[$0] as? LiveValue<Value> } ?? value
        value.remove(mailbox)
        if value.hasSubscribers { return }
        if let id { values[id] = nil }
        remove(value)
        value.endWatching()
    }

    /// Adds a listener to commits.
    func attach(_ subscriber: FeedSubscriber) {
        guard let error = failure(of: subscriber.engine) else { return add(subscriber) }
        subscriber.end(subscribersOf: subscriber.engine, error)
    }

    /// Whether there are no observers.
    var isEmpty: Bool {
        results.isEmpty && counts.isEmpty && values.isEmpty && feeds.isEmpty && subscribers.isEmpty
    }

    /// Adds a subscriber to commits.
    func add(_ subscriber: any CommitSubscriber) {
        for name in subscriber.entityNames {
            subscribers[name, default: EntitySubscribers()].add(subscriber)
        }
    }

    /// Takes a subscriber of commits away.
    func remove(_ subscriber: any CommitSubscriber) {
        for name in subscriber.entityNames {
            subscribers[name]?.remove(subscriber)
            if subscribers[name]?.isEmpty == true { subscribers[name] = nil }
        }
    }

    // MARK: Feeds

    /// Adds a result of which one feed is made.
    func add(feed: LiveQuery) {
        feeds.append(feed)
        add(feed)
    }

    /// Removes the result of a feed.
    func remove(feed: LiveQuery) {
        feeds.removeAll { $0 === feed }
        remove(feed)
        feed.endWatching()
    }

    private func drop(_ result: LiveQuery, _ id: ResultID) {
        results[id] = nil
        remove(result)
        result.endWatching()
    }

    private func drop(_ count: LiveCount, _ query: RowQuery) {
        counts[query] = nil
        remove(count)
        count.endWatching()
    }

    // MARK: Commits

    /// Delivers a commit to the subscribers whose entities it touches.
    ///
    /// - Parameters:
    ///   - commit: The commit.
    ///   - limit: How many are told at most.
    /// - Returns: Whether they were told: all, or none because they are more.
    func receive(_ commit: CapturedCommit, atMost limit: Int = .max) -> Bool {
        let touched = touched(by: commit)
        if touched.count > limit { return false }
        for subscriber in touched { subscriber.receive(commit) }
        return true
    }

    /// Lets the results that wait for commits to end look again.
    func proceed() {
        for result in results.values where result.isWaiting { result.proceed() }
        for count in counts.values where count.isWaiting { count.proceed() }
        for feed in feeds where feed.isWaiting { feed.proceed() }
    }

    private func touched(by commit: CapturedCommit) -> [any CommitSubscriber] {
        var touched: [any CommitSubscriber] = []
        for unit in commit.units {
            for log in unit.logs { touched += subscribers[log.name]?.subscribers(of: log) ?? [] }
            switch unit.unseen {
            case .none: break
            case .entities(let names):
                for name in names { touched += subscribers[name]?.everyone ?? [] }
            case .all: touched += subscribers.values.flatMap(\.everyone)
            }
        }
        if touched.count < 2 { return touched }
        var seen = Set<ObjectIdentifier>()
        return touched.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Returns the error of an observation that begins through an engine; nil while its client is open.
    func failure(of engine: any Engine) -> DBClientError? {
        closed.first { $0.engine === engine }?.error
    }

    /// Ends everything that an engine's client observes, and whatever it is asked to observe later.
    func end(subscribersOf engine: any Engine, _ error: DBClientError) {
        closed.removeAll { $0.engine == nil || $0.engine === engine }
        closed.append(ClosedEngine(engine: engine, error: error))
        endReaders(of: engine, error)
    }

    /// Ends everything that is observed, whose store was lost.
    func end(_ error: DBClientError) {
        endReaders(of: nil, error)
    }

    private func endReaders(of engine: (any Engine)?, _ error: DBClientError) {
        var seen = Set<ObjectIdentifier>()
        for subscriber in subscribers.values.flatMap(\.everyone)
        where seen.insert(ObjectIdentifier(subscriber)).inserted {
            subscriber.end(subscribersOf: engine, error)
        }
        for (id, result) in results where !result.hasSubscribers { drop(result, id) }
        for (query, count) in counts where !count.hasSubscribers { drop(count, query) }
    }
}
