/// How a transaction keeps the values of a model: in which stored shape, and by which conversion.
///
/// Every call on a model goes through one. What a module of an engine implements is `models`, and the
/// calls that write values; the rest follows from the shape. Implementations give the meaning of
/// the same calls of `ReadTransaction` and `WriteTransaction`.
public protocol ModelConversion<Model> {
    /// The model.
    associatedtype Model: StoredConvertible
    /// The stored shape.
    associatedtype Shape: Stored where Shape.PrimaryKey == Model.PrimaryKey

    /// Returns the models of stored values, in their order.
    func models(_ shapes: [Shape], in transaction: any ReadTransaction) throws -> [Model]

    /// Returns the request for the shape.
    ///
    /// The default finds the fields of the model's `Storage` in the shape by their stored names.
    func request(_ request: FetchRequest<Model>) throws -> FetchRequest<Shape>

    /// Inserts values and returns them as they are stored.
    func insert(_ values: [Model], in transaction: any WriteTransaction) throws -> [Model]

    /// Replaces stored values and refuses one that is not stored.
    func update(_ values: [Model], in transaction: any WriteTransaction) throws

    /// Replaces stored values, skips those that are not stored and returns those that were.
    func updateExisting(_ values: [Model], in transaction: any WriteTransaction) throws -> [Model]

    /// Inserts or replaces values, told apart.
    func upsert(
        _ values: [Model],
        in transaction: any WriteTransaction
    ) throws -> UpsertOutcome<Model>

    /// Returns the value with a primary key, or nil.
    func find(_ key: Model.PrimaryKey, in transaction: any ReadTransaction) throws -> Model?

    /// Returns the values with these primary keys that exist, in the order of `keys`.
    func find(_ keys: [Model.PrimaryKey], in transaction: any ReadTransaction) throws -> [Model]

    /// Returns the values of a request.
    func fetch(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> [Model]

    /// Calls a function with each value of a request.
    func forEach(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction,
        _ body: (Model) throws -> Bool
    ) throws

    /// Returns the number of values of a request.
    func count(_ request: FetchRequest<Model>, in transaction: any ReadTransaction) throws -> Int

    /// Computes a function over a field of the values of a request.
    func aggregate(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Model.Storage>,
        of request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> StorageValue

    /// Returns the different values of a field over the values of a request.
    func distinct<Value: StorableValue>(
        _ field: KeyPath<Model.Storage, Value>,
        of request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> [Value]

    /// Writes some fields of the value with a primary key.
    func update(
        _ key: Model.PrimaryKey,
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws

    /// Writes some fields of the values with these primary keys, of each its own.
    func update(
        _ keys: [Model.PrimaryKey],
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws

    /// Writes some fields of the values of a request.
    func update(
        _ request: FetchRequest<Model>,
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws -> Int

    /// Deletes the values with these primary keys.
    func delete(_ keys: [Model.PrimaryKey], in transaction: any WriteTransaction) throws -> Int

    /// Deletes the values of a request.
    func delete(_ request: FetchRequest<Model>, in transaction: any WriteTransaction) throws -> Int
}

extension ModelConversion {
    /// Returns the request as the engine sees it.
    func rowQuery(_ request: FetchRequest<Model>) throws -> RowQuery {
        try self.request(request).rowQuery()
    }

    /// Describes how the engine would run a request.
    func explain(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> String {
        try transaction.explain(self.request(request))
    }
}
