// Functions over a field of a request. Absent values are left out of each.
extension BlockingDBClient {
    /// Computes a function over a field of the values of a request.
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of a field that is not a number.
    public func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Request.Model.Storage>,
        of request: Request
    ) throws -> StorageValue {
        try client.readOnceBlocking { try $0.aggregate(function, field, of: request) }
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value? {
        try client.readOnceBlocking { try $0.min(field, of: request) }
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value? {
        try client.readOnceBlocking { try $0.min(field, of: request) }
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value? {
        try client.readOnceBlocking { try $0.max(field, of: request) }
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value? {
        try client.readOnceBlocking { try $0.max(field, of: request) }
    }

    /// Returns the sum of a field over a request; zero when there is none.
    ///
    /// The sum is exact, whatever the order of the rows; one of doubles is rounded once.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Value` or of `Int64`, or one of
    ///   decimals has over 38 digits.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: KeyPath<Request.Model.Storage, Value>,
        of request: Request
    ) throws -> Value {
        try client.readOnceBlocking { try $0.sum(field, of: request) }
    }

    /// Returns the sum of a field over a request, absent values left out; zero when there is none.
    ///
    /// The sum is exact, whatever the order of the rows; one of doubles is rounded once.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Value` or of `Int64`, or one of
    ///   decimals has over 38 digits.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: KeyPath<Request.Model.Storage, Value?>,
        of request: Request
    ) throws -> Value {
        try client.readOnceBlocking { try $0.sum(field, of: request) }
    }

    /// Returns the average of a field over a request, absent values left out, or nil of none.
    public func average<Request: FetchRequestConvertible>(
        _ field: PartialKeyPath<Request.Model.Storage>,
        of request: Request
    ) throws -> Double? {
        try client.readOnceBlocking { try $0.average(field, of: request) }
    }
}
