/// A function over a field of a query's rows, kept for all its observers: confined to the hub.
final class LiveAggregate<Value: Sendable>: LiveFold<KeptAggregate, ValueSubscriber<Value>>,
    @unchecked Sendable
{
    private let decode: @Sendable (StorageValue) throws -> Value

    /// Creates a function over a field of rows that a query's own fields decide.
    init(
        _ function: AggregateFunction,
        _ column: Int,
        of query: RowQuery,
        _ hub: ChangeHub,
        decode: @escaping @Sendable (StorageValue) throws -> Value
    ) {
        self.decode = decode
        super.init(query, hub) { try KeptAggregate(function, column, of: query, in: $0) }
    }

    override func show(_ state: KeptAggregate, to subscribers: [ValueSubscriber<Value>]) throws {
        let value = try decode(try state.value())
        for subscriber in subscribers { subscriber.mailbox.put(value) }
    }
}

/// One observer of a value that is kept.
final class ValueSubscriber<Value: Sendable>: KeptSubscriber {
    let engine: any Engine
    let mailbox: ValueMailbox<Value>
    /// Kept open while it is observed.
    private let client: any DBClient

    init(_ mailbox: ValueMailbox<Value>, engine: any Engine, client: any DBClient) {
        self.mailbox = mailbox
        self.engine = engine
        self.client = client
    }

    func end(_ error: DBClientError) { mailbox.end(error) }
}

/// A value that is kept for all its observers, as one of them gets it.
final class KeptValue<Value: Sendable>: ValueSource {
    private let subscriber: ValueSubscriber<Value>
    private let hub: ChangeHub
    private let id: SharedValueID

    /// Begins to observe, once what was committed before is told.
    ///
    /// - Parameters:
    ///   - subscriber: The observer.
    ///   - id: The identity by which equal observations share the value.
    ///   - hub: The hub that serves it.
    ///   - make: Makes the value for the first observer.
    init(
        _ subscriber: ValueSubscriber<Value>,
        sharedBy id: SharedValueID,
        _ hub: ChangeHub,
        _ make: @escaping @Sendable () -> LiveAggregate<Value>
    ) {
        self.subscriber = subscriber
        self.hub = hub
        self.id = id
        hub.perform(inTurn: true) { $0.attach(subscriber, to: id, make) }
    }

    deinit {
        subscriber.mailbox.end(nil)
        hub.perform(inTurn: true) { [subscriber, id] in $0.detach(subscriber, from: id) }
    }

    func next() async throws -> Value? {
        try await subscriber.mailbox.next()
    }
}
