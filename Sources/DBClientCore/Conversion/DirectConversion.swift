/// Keeps a stored model as it is: every call is the transaction's own.
@frozen
public struct DirectConversion<Model: Stored>: ModelConversion {
    /// The model is its own shape.
    public typealias Shape = Model

    @inlinable
    init() {}

    /// Returns the values themselves.
    @inlinable
    public func models(_ shapes: [Model], in transaction: any ReadTransaction) -> [Model] { shapes }

    /// Returns the request itself.
    @inlinable
    public func request(_ request: FetchRequest<Model>) -> FetchRequest<Model> { request }

    /// Inserts values and returns them as they are stored.
    @inlinable
    public func insert(
        _ values: [Model],
        in transaction: any WriteTransaction
    ) throws -> [Model] {
        try transaction.insert(values)
    }

    /// Replaces stored values and refuses one that is not stored.
    @inlinable
    public func update(_ values: [Model], in transaction: any WriteTransaction) throws {
        try transaction.update(values)
    }

    /// Replaces stored values, skips those that are not stored and returns those that were.
    @inlinable
    public func updateExisting(
        _ values: [Model],
        in transaction: any WriteTransaction
    ) throws -> [Model] {
        try transaction.updateExisting(values)
    }

    /// Inserts or replaces values, told apart.
    @inlinable
    public func upsert(
        _ values: [Model],
        in transaction: any WriteTransaction
    ) throws -> UpsertOutcome<Model> {
        try transaction.upsert(values)
    }

    /// Returns the value with a primary key, or nil.
    @inlinable
    public func find(
        _ key: Model.PrimaryKey,
        in transaction: any ReadTransaction
    ) throws -> Model? {
        try transaction.find(Model.self, key: key)
    }

    /// Returns the values with these primary keys that exist.
    @inlinable
    public func find(
        _ keys: [Model.PrimaryKey],
        in transaction: any ReadTransaction
    ) throws -> [Model] {
        try transaction.find(Model.self, keys: keys)
    }

    /// Returns the values of a request.
    @inlinable
    public func fetch(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> [Model] {
        try transaction.fetch(request)
    }

    /// Calls a function with each value of a request.
    @inlinable
    public func forEach(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction,
        _ body: (Model) throws -> Bool
    ) throws {
        try transaction.forEach(request, body)
    }

    /// Returns the number of values of a request.
    @inlinable
    public func count(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> Int {
        try transaction.count(request)
    }

    /// Computes a function over a field of the values of a request.
    @inlinable
    public func aggregate(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Model>,
        of request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> StorageValue {
        try transaction.aggregate(function, field, of: request)
    }

    /// Returns the different values of a field over the values of a request.
    @inlinable
    public func distinct<Value: StorableValue>(
        _ field: KeyPath<Model, Value>,
        of request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> [Value] {
        try transaction.distinct(field, of: request)
    }

    /// Writes some fields of the value with a primary key.
    @inlinable
    public func update(
        _ key: Model.PrimaryKey,
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        try transaction.update(Model.self, key: key, assign)
    }

    /// Writes some fields of the values with these primary keys, of each its own.
    @inlinable
    public func update(
        _ keys: [Model.PrimaryKey],
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws {
        try transaction.update(Model.self, keys: keys, assign)
    }

    /// Writes some fields of the values of a request.
    @inlinable
    public func update(
        _ request: FetchRequest<Model>,
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws -> Int {
        try transaction.update(request, assign)
    }

    /// Deletes the values with these primary keys.
    @inlinable
    public func delete(
        _ keys: [Model.PrimaryKey],
        in transaction: any WriteTransaction
    ) throws -> Int {
        try transaction.delete(Model.self, keys: keys)
    }

    /// Deletes the values of a request.
    @inlinable
    public func delete(
        _ request: FetchRequest<Model>,
        in transaction: any WriteTransaction
    ) throws -> Int {
        try transaction.delete(request)
    }
}
