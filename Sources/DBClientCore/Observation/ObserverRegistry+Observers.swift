// The observers of results, counts and values, of which equal ones share what is kept up to date.
extension ObserverRegistry {
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
        shared(by: id, make).add(subscriber)
    }

    /// Removes a subscriber; a result without subscribers is dropped.
    func detach(_ subscriber: ResultSubscriber, from id: ResultID) {
        guard let result: LiveQuery = shared(by: id) else { return }
        result.remove(subscriber)
        dropUnobserved(id)
    }

    /// Adds a subscriber to the number of a query's rows; equal queries share one.
    func attach(_ subscriber: CountSubscriber, to query: RowQuery, _ make: () -> LiveCount) {
        if let error = failure(of: subscriber.engine) { return subscriber.end(error) }
        shared(by: query, make).add(subscriber)
    }

    /// Removes a subscriber; a number without subscribers is dropped.
    func detach(_ subscriber: CountSubscriber, from query: RowQuery) {
        guard let count: LiveCount = shared(by: query) else { return }
        count.remove(subscriber)
        dropUnobserved(query)
    }

    /// Adds an observer to a value, or to the equal one that others observe already.
    func attach<Value>(
        _ mailbox: ValueMailbox<Value>,
        to value: LiveValue<Value>,
        sharedBy id: SharedValueID?
    ) {
        if let id { return shared(by: id) { value }.add(mailbox) }
        add(value)
        value.add(mailbox)
    }

    /// Removes an observer; a value without observers is dropped.
    func detach<Value>(
        _ mailbox: ValueMailbox<Value>,
        from value: LiveValue<Value>,
        sharedBy id: SharedValueID?
    ) {
        if let id {
            let shared: LiveValue<Value>? = shared(by: id)
            shared?.remove(mailbox)
            return dropUnobserved(id)
        }
        value.remove(mailbox)
        if value.hasSubscribers { return }
        remove(value)
        value.endWatching()
    }

    /// Adds an observer to a value that is kept, which is made for the first of them.
    func attach<Value>(
        _ subscriber: ValueSubscriber<Value>,
        to id: SharedValueID,
        _ make: () -> LiveAggregate<Value>
    ) {
        if let error = failure(of: subscriber.engine) { return subscriber.end(error) }
        shared(by: id, make).add(subscriber)
    }

    /// Removes an observer; a value without observers is dropped.
    func detach<Value>(_ subscriber: ValueSubscriber<Value>, from id: SharedValueID) {
        guard let value: LiveAggregate<Value> = shared(by: id) else { return }
        value.remove(subscriber)
        dropUnobserved(id)
    }

    /// Adds an observer to rows that are kept, which are made for the first of them.
    func attach(
        _ subscriber: ResultSubscriber,
        to id: some Hashable,
        _ make: () -> LiveEntries
    ) {
        if let error = failure(of: subscriber.engine) { return subscriber.end(error) }
        shared(by: id, make).add(subscriber)
    }

    /// Removes an observer; rows without observers are dropped.
    func detach(_ subscriber: ResultSubscriber, fromEntries id: some Hashable) {
        guard let rows: LiveEntries = shared(by: id) else { return }
        rows.remove(subscriber)
        dropUnobserved(id)
    }

    /// Adds a listener to commits, or ends it at once where its client was closed.
    func attach(_ subscriber: FeedSubscriber) {
        guard let error = failure(of: subscriber.engine) else { return add(subscriber) }
        subscriber.end(subscribersOf: subscriber.engine, error)
    }
}
