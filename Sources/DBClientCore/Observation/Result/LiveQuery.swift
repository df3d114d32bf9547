/// The result of one request, kept up to date from commits for all its observers: confined to the hub.
///
/// How commits are applied is up to the subclass: ``IncrementalLiveQuery`` takes what was captured of them,
/// ``RefetchingLiveQuery`` reads what they concern.
class LiveQuery: SharedSubscriber, @unchecked Sendable {
    final let query: RowQuery
    /// The name of the query's entity.
    final let name: EntityName
    final let orderKeys: OrderKeyEncoder
    final let window: ResultWindow
    final let hub: ChangeHub
    @exclusivity(unchecked) final private(set) var version: ResultVersion?
    /// The version before, kept while it differs in one row: the thread that releases a version last touches
    /// much of what it has, which is nearest to the processor that made it, and subscribers run on others.
    @exclusivity(unchecked) private var previous: ResultVersion?
    @exclusivity(unchecked) final private(set) var subscribers: [ResultSubscriber] = []
    private let concern: QueryDependencies
    private var hasBegun = false
    private var hasEnded = false

    init(_ query: RowQuery, _ hub: ChangeHub) {
        self.query = query
        self.hub = hub
        name = query.entity.exactName
        concern = QueryDependencies(query)
        orderKeys = OrderKeyEncoder(query)
        window = ResultWindow(query)
    }

    final var entityNames: Set<EntityName> { concern.names }
    final var selector: RowSelector? { concern.selector }

    // MARK: For subclasses

    /// Whether the version is that of every commit that was received.
    var isLive: Bool { false }

    /// Whether the result waits for commits to end.
    var isWaiting: Bool { false }

    /// Looks whether the commits that the result waits for have ended.
    func proceed() {}

    func receive(_ commit: CapturedCommit) {}

    /// Reads the result, again if it was read before.
    func load() {}

    /// Called when the result has ended for every subscriber.
    func didEnd() {}

    // MARK: Subscribers

    final var hasSubscribers: Bool { !subscribers.isEmpty }

    final func add(_ subscriber: ResultSubscriber) {
        subscribers.append(subscriber)
        if !hasBegun {
            watch()
        } else if !hasEnded {
            // While the result is read again, the reading's end shows it.
            if isLive, let version { subscriber.show(version) }
            return
        }
        hasEnded = false
        load()
    }

    /// From here on nothing is missed: what is committed comes, or is in what is read.
    final func watch() {
        hasBegun = true
        concern.watch(through: hub)
    }

    /// Stops capturing what `watch()` had captured.
    final func endWatching() {
        concern.endWatching(through: hub)
    }

    final func remove(_ subscriber: ResultSubscriber) {
        subscribers.removeAll { $0 === subscriber }
    }

    final func end(subscribersOf engine: (any Engine)?, _ error: DBClientError) {
        for subscriber in subscribers where engine == nil || subscriber.engine === engine {
            subscriber.end(error)
        }
        subscribers.removeAll { engine == nil || $0.engine === engine }
        guard engine == nil else { return }
        hasEnded = true
        didEnd()
    }

    /// Ends all observations with an error.
    final func fail(_ error: any Error) {
        end(subscribersOf: nil, .wrapping(error))
    }

    /// Deals with a reading that failed, which may be repeated through another client.
    ///
    /// `isCurrent` says whether the result still waits for it.
    final func didFail(
        _ error: any Error,
        from engine: any Engine,
        isCurrent: @escaping @Sendable () -> Bool
    ) {
        let error = DBClientError.wrapping(error)
        if error.isTransient, version != nil, hasSubscribers {
            Task.detached { [hub] in
                try? await Task.sleep(for: .retryInterval)
                hub.perform { _ in if isCurrent() { self.load() } }
            }
            return
        }
        // The client that read may have been closed while other clients have the store open.
        if error.code == .closed { end(subscribersOf: engine, error) }
        if error.code == .closed, hasSubscribers { load() } else { fail(error) }
    }

    /// Shows the subscribers a new version, except those that made the change themselves.
    ///
    /// - Parameters:
    ///   - tree: The rows.
    ///   - silence: The observers that made the change.
    ///   - step: The one row that has changed since the last version, if it is no more than that.
    final func show(
        _ tree: ResultTree,
        _ silence: SuppressedObservers = SuppressedObservers(),
        after step: RowStep? = nil
    ) {
        let old = version
        let new = ResultVersion(tree, query, after: old, step)
        version = new
        previous = step == nil ? nil : old
        for subscriber in subscribers {
            if let old, silence.covers(subscriber.identity) {
                subscriber.skip(from: old, to: new)
            } else {
                subscriber.show(new)
            }
        }
    }

    /// Whether a subscriber would be passed over for changes that are its own.
    final func passesOver(_ silence: SuppressedObservers) -> Bool {
        version != nil && subscribers.contains { silence.covers($0.identity) }
    }

    /// Shows the version to subscribers that came since and have none.
    final func showToNewReaders() {
        guard let version else { return }
        for subscriber in subscribers { subscriber.showFirst(version) }
    }
}
