/// One snapshot of a store: what it reads does not change while it lasts.
///
/// Received by the body of `client.read`; using it after the body has returned throws
/// `.transactionEnded`.
public protocol ReadTransaction: AnyObject, RenamedCalls {
    /// Returns the value with a primary key, or nil.
    func find<Model: Stored>(_ type: Model.Type, key: Model.PrimaryKey) throws -> Model?

    /// Returns the values with these primary keys that exist, in the order of `keys`.
    func find<Model: Stored>(_ type: Model.Type, keys: [Model.PrimaryKey]) throws -> [Model]

    /// Returns the values of a request.
    func fetch<Request: FetchRequestConvertible>(_ request: Request) throws -> [Request.Model]
    where Request.Model: Stored

    /// Calls a function with each value of a request, in order, in constant memory.
    ///
    /// `body` returns false to stop early. In a write all values are read first, so that what the body writes
    /// changes nothing of what it is given.
    func forEach<Request: FetchRequestConvertible>(
        _ request: Request,
        _ body: (Request.Model) throws -> Bool
    ) throws where Request.Model: Stored

    /// Returns the number of values of a request.
    func count<Request: FetchRequestConvertible>(_ request: Request) throws -> Int
    where Request.Model: Stored

    /// Computes a function over a field of the values of a request, absent fields left out.
    func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Request.Model>,
        of request: Request
    ) throws -> StorageValue where Request.Model: Stored

    /// Returns the different values of a field over the values of a request, ascending, nil first.
    func distinct<Request: FetchRequestConvertible, Value: StorableValue>(
        _ field: KeyPath<Request.Model, Value>,
        of request: Request
    ) throws -> [Value] where Request.Model: Stored

    /// Describes how the engine would run a request, for a person.
    func explain<Request: FetchRequestConvertible>(_ request: Request) throws -> String
    where Request.Model: Stored
}

extension ReadTransaction {
    /// Returns the first value of a request, or nil.
    public func fetchOne<Request: FetchRequestConvertible>(
        _ request: Request
    ) throws -> Request.Model? {
        var first: Request.Model?
        try forEach(request.request.limitedToOne) {
            first = $0
            return false
        }
        return first
    }

    /// Returns whether a request has any value.
    public func exists<Request: FetchRequestConvertible>(_ request: Request) throws -> Bool {
        try count(request.request.limitedToOne) > 0
    }

    /// Returns whether there is a value with a primary key.
    public func exists<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) throws -> Bool {
        try find(type, key: key) != nil
    }

    /// Returns every value of a model in the order of the primary key.
    public func findAll<Model: StoredConvertible>(_ type: Model.Type) throws -> [Model] {
        try fetch(Model.all)
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.minimum, field, of: request).decode()
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.minimum, field, of: request).decode()
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.maximum, field, of: request).decode()
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value? {
        try aggregate(.maximum, field, of: request).decode()
    }

    /// Returns the sum of a field over a request; zero when there is none.
    ///
    /// The sum is exact, whatever the order of the rows; one of doubles is rounded once. One that no `Double` holds is
    /// infinite, and opposite infinities come to NaN; a condition compares that as unequal to everything.
    /// Only the whole sum counts, not what comes before it in some order.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Value` or of `Int64`, or one of
    ///   decimals has over 38 digits.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value {
        try aggregate(.sum, field, of: request).decodeSum(of: Request.Model.self)
    }

    /// Returns the sum of a field over a request, absent values left out; zero when there is none.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value {
        try aggregate(.sum, field, of: request).decodeSum(of: Request.Model.self)
    }

    /// Returns the average of a field over a request, absent values left out, or nil of none.
    ///
    /// It is in the range where the values are, even if their sum is not; opposite infinities come to NaN.
    public func average<Request: FetchRequestConvertible>(
        _ field: PartialKeyPath<Request.Model.Storage>,
        of request: Request
    ) throws -> Double? {
        try aggregate(.average, field, of: request).decode()
    }
}

extension StorageValue {
    /// Returns a sum as a field's own type, zero when there was nothing to add.
    fileprivate func decodeSum<Model: StoredConvertible, Value: StorableValue & Numeric>(
        of model: Model.Type
    ) throws -> Value {
        try withSlot { slot in
            do throws(SlotError) {
                return try Value(sum: slot)
            } catch {
                throw DBClientError(
                    .invalidValue,
                    "The sum is outside the range of the field's type.",
                    entity: model.Storage.schema.entity.name
                )
            }
        }
    }
}

extension FetchRequest {
    /// The request for its first value alone.
    var limitedToOne: Self {
        limit(min(query.limit ?? 1, 1))
    }
}
