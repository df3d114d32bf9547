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

/// A subscriber to commits for several observers, which share it: confined to the hub.
protocol SharedSubscriber: CommitSubscriber {
    /// Whether an observer is left, without which the subscriber is removed.
    var hasSubscribers: Bool { get }

    /// Whether it waits for commits to end.
    var isWaiting: Bool { get }

    /// Looks whether the commits that it waits for have ended.
    func proceed()

    /// Stops watching, once the last observer has gone.
    func endWatching()
}

/// The observers of a store, and what they share: confined to the hub.
final class ObserverRegistry: @unchecked Sendable {
    private var shared: [AnyHashable: any SharedSubscriber] = [:]
    private var feeds: [any SharedSubscriber] = []
    @exclusivity(unchecked) private var subscribers: [EntityName: EntitySubscribers] = [:]
    /// Subscribers that want no entity's commits, or none yet.
    private var idle: [any CommitSubscriber] = []
    private var closed: [ClosedEngine] = []

    /// An engine whose client was closed, and the error that ends its observers.
    private struct ClosedEngine {
        weak var engine: (any Engine)?
        let error: DBClientError
    }

    // MARK: What observers share

    /// Returns what observers share by an ID, which is made for the first of them.
    func shared<Shared: SharedSubscriber>(
        by id: some Hashable,
        _ make: () -> Shared
    ) -> Shared {
        if let shared: Shared = shared(by: id) { return shared }
        let made = make()
        shared[id] = made
        add(made)
        return made
    }

    /// Returns what observers share by an ID; nil when there is none.
    func shared<Shared: SharedSubscriber>(by id: some Hashable) -> Shared? {
        shared[id] as? Shared
    }

    /// Drops what observers share by an ID when there are none left.
    func dropUnobserved(_ id: some Hashable) {
        guard let subscriber = shared[id], !subscriber.hasSubscribers else { return }
        shared[id] = nil
        remove(subscriber)
        subscriber.endWatching()
    }

    /// Whether there is no observer of any kind, so that no commit is of interest.
    var isEmpty: Bool {
        shared.isEmpty && feeds.isEmpty && subscribers.isEmpty && idle.isEmpty
    }

    /// Adds a subscriber, to be told of commits that change one of its entities.
    func add(_ subscriber: any CommitSubscriber) {
        if subscriber.entityNames.isEmpty { idle.append(subscriber) }
        for name in subscriber.entityNames {
            subscribers[name, default: EntitySubscribers()].add(subscriber)
        }
    }

    /// Takes a subscriber of commits away.
    func remove(_ subscriber: any CommitSubscriber) {
        idle.removeAll { $0 === subscriber }
        for name in subscriber.entityNames {
            subscribers[name]?.remove(subscriber)
            if subscribers[name]?.isEmpty == true { subscribers[name] = nil }
        }
    }

    // MARK: Feeds

    /// Adds a result of which one feed is made.
    func add(feed: any SharedSubscriber) {
        feeds.append(feed)
        add(feed)
    }

    /// Removes the result of a feed.
    func remove(feed: any SharedSubscriber) {
        feeds.removeAll { $0 === feed }
        remove(feed)
        feed.endWatching()
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
        for subscriber in shared.values where subscriber.isWaiting { subscriber.proceed() }
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
        for subscriber in subscribers.values.flatMap(\.everyone) + idle
        where seen.insert(ObjectIdentifier(subscriber)).inserted {
            subscriber.end(subscribersOf: engine, error)
        }
        for id in shared.keys { dropUnobserved(id) }
    }
}
