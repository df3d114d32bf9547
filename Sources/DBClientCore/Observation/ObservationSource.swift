/// The source of a client's observations: the commits of its store.
///
/// A client over an engine has one of its own; a client that wraps another one returns that one's:
///
/// ```swift
/// var observation: ObservationSource { base.observation }
/// ```
public struct ObservationSource: Sendable {
    private let engine: (any Engine)?
    /// Kept open while it is observed.
    private let client: (any DBClient)?

    init(engine: any Engine, client: any DBClient) {
        self.engine = engine
        self.client = client
    }

    /// The source of a client that cannot be observed: each attempt throws `.unsupported`.
    public static let unsupported = ObservationSource()

    private init() {
        engine = nil
        client = nil
    }

    /// Throws `.unsupported` when the client cannot be observed.
    public func validate() throws {
        _ = try observed()
    }

    /// The hub that tells of the store's commits.
    var hub: ChangeHub? { engine?.hub }

    /// Whether the commits of an engine are those of the client's store, or of one that the client previews.
    func isOfStore(of other: any Engine) -> Bool {
        if engine === other { return true }
        if let hub, hub === other.hub { return true }
        guard let previewed = (engine as? any PreviewingEngine)?.previewed else { return false }
        return previewed.observation.isOfStore(of: other)
    }

    /// What serves observers, or why there is none.
    func observed() throws -> (hub: ChangeHub, engine: any Engine, client: any DBClient) {
        guard let engine, let client, let hub = engine.hub else {
            throw DBClientError(.unsupported, "The client must be observable.")
        }
        return (hub, engine, client)
    }

    /// Returns a new subscriber of a result, and the hub that will serve it.
    func subscriber(
        _ identity: ObserverIdentity
    ) throws -> (hub: ChangeHub, subscriber: ResultSubscriber) {
        let (hub, engine, client) = try observed()
        return (hub, ResultSubscriber(engine: engine, client: client, identity: identity))
    }

    /// Begins to observe a value that depends on the values of a request.
    func value<Model: StoredConvertible, Value: Equatable & Sendable>(
        _ request: FetchRequest<Model>,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> ComputedValue<Value> {
        let source = try observed()
        let query = try await request.shapeQuery(through: source.client)
        return value(of: query, from: source, sharedBy: nil, read) {
            $0 == $1 || isNoNumber($0) && isNoNumber($1)
        }
    }

    /// Begins to observe a value that depends on the rows of a request by stored names.
    func value<Value: Equatable & Sendable>(
        _ request: DynamicRequest,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> ComputedValue<Value> {
        value(of: try request.rowQuery(), from: try observed(), sharedBy: nil, read) {
            $0 == $1 || isNoNumber($0) && isNoNumber($1)
        }
    }

    /// Begins to observe rows by stored names.
    func rows(of request: DynamicRequest) async throws -> ComputedValue<[DynamicRow]> {
        value(of: try request.rowQuery(), from: try observed(), sharedBy: nil) {
            try $0.fetch(request)
        } isSame: {
            $0 == $1
        }
    }

    /// Begins to observe a function over a field of the values of a request; observers of an equal one share
    /// it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - function: The function.
    ///   - field: The field.
    ///   - read: Reads the value, where it is read again.
    ///   - decode: Makes the value of what rows come to, where it is kept.
    /// - Returns: The source of the values.
    /// - Throws: `.invalidRequest` for a request, or for a function of the field, that makes no sense; `.unsupported`
    ///   when the client cannot be observed.
    func value<Model: StoredConvertible, Value: ColumnValue>(
        _ request: FetchRequest<Model>,
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Model.Storage>,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value,
        _ decode: @escaping @Sendable (StorageValue) throws -> Value
    ) async throws -> any ValueSource<Value> {
        let source = try observed()
        let place = try Model.Storage.place(of: field)
        try place.owner(Model.Storage.schema.entity).check(function, on: place.column)
        let query = try await request.shapeQuery(through: source.client).unorderedUnlessLimited
        let id = SharedValueID(function, place, of: query, source.engine, as: Value.self)
        let isSame: @Sendable (Value, Value) -> Bool = {
            (try? StorageValue(storing: $0)) == (try? StorageValue(storing: $1))
        }
        if Upkeep.ofAggregate(over: place, of: query, Model.self).isKept {
            let (hub, engine, client) = source
            return KeptValue(
                ValueSubscriber(ValueMailbox(isSame), engine: engine, client: client),
                sharedBy: id,
                hub
            ) {
                LiveAggregate(function, place.column, of: query, hub, decode: decode)
            }
        }
        return value(of: query, from: source, sharedBy: id, read, isSame: isSame)
    }

    /// Begins to observe a value that depends on what is read for it.
    func value<Value: Sendable>(
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value,
        isSame: @escaping @Sendable (Value, Value) -> Bool
    ) throws -> ComputedValue<Value> {
        let (hub, engine, client) = try observed()
        let value = LiveValue((hub, engine)) {
            try await client.read { transaction in
                let tracker = ReadTracker()
                let value = try transaction.tracked(by: tracker, read)
                return (value, tracker.dependencies)
            }
        }
        return ComputedValue(value, sharedBy: nil, ValueMailbox(isSame), hub)
    }

    private func value<Value: Sendable>(
        of query: RowQuery,
        from source: (hub: ChangeHub, engine: any Engine, client: any DBClient),
        sharedBy id: SharedValueID?,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value,
        isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> ComputedValue<Value> {
        let (hub, engine, client) = source
        return ComputedValue(
            LiveValue(query, (hub, engine)) { try await client.read(read) },
            sharedBy: id,
            ValueMailbox(isSame),
            hub
        )
    }

    /// Begins to observe the number of values of a request, of which more than some are not told.
    func count<Model: StoredConvertible>(
        _ request: FetchRequest<Model>,
        upTo greatest: Int? = nil
    ) async throws -> CountedValue {
        let client = try observed().client
        var query = try await request.shapeQuery(through: client)
        if let greatest { query.limit = min(query.limit ?? greatest, greatest) }
        return try count(query: query)
    }

    /// Begins to observe the number of rows by stored names.
    func count(_ request: DynamicRequest) async throws -> CountedValue {
        try count(query: try request.rowQuery())
    }

    private func count(query: RowQuery) throws -> CountedValue {
        let (hub, engine, client) = try observed()
        return CountedValue(
            CountSubscriber(query, engine: engine, client: client),
            RowQuery(query.entity, where: query.condition),
            hub
        )
    }

    /// Returns a new subscriber of the commits that write rows of an entity.
    func feedReader(_ entity: EntitySchema) throws -> FeedSubscriber {
        let (hub, engine, client) = try observed()
        try entity.validate()
        return FeedSubscriber(entity, hub, engine: engine, client: client)
    }
}

/// An engine that shows what the store of another client has.
package protocol PreviewingEngine: Engine {
    /// The other client; nil for an engine that has a store of its own.
    var previewed: (any DBClient)? { get }
}

/// Whether a value is NaN, which no value equals: an observer that has it gets it no second time.
func isNoNumber(_ value: some Sendable) -> Bool {
    if let double = value as? Double { return double.isNaN }
    if let float = value as? Float { return float.isNaN }
    return false
}
