// Functions over a field of a request. Absent values are left out of each.
extension DBClient {
    /// Computes a function over a field of the values of a request.
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of a field that is not a number.
    public func aggregate<Request: FetchRequestConvertible>(
        _ function: AggregateFunction,
        _ field: any PartialKeyPath<Request.Model.Storage> & Sendable,
        of request: Request
    ) async throws -> StorageValue {
        try await readOnce { try $0.aggregate(function, field, of: request) }
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> Value? {
        try await readOnce { try $0.min(field, of: request) }
    }

    /// Returns the smallest value of a field over a request, or nil when there is none.
    public func min<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) async throws -> Value? {
        try await readOnce { try $0.min(field, of: request) }
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> Value? {
        try await readOnce { try $0.max(field, of: request) }
    }

    /// Returns the largest value of a field over a request, or nil when there is none.
    public func max<Request: FetchRequestConvertible, Value: ColumnValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) async throws -> Value? {
        try await readOnce { try $0.max(field, of: request) }
    }

    /// Returns the sum of a field over a request; zero when there is none.
    ///
    /// The sum is exact, whatever the order of the rows; one of doubles is rounded once.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Value` or of `Int64`, or one of
    ///   decimals has over 38 digits.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> Value {
        try await readOnce { try $0.sum(field, of: request) }
    }

    /// Returns the sum of a field over a request, absent values left out; zero when there is none.
    ///
    /// The sum is exact, whatever the order of the rows; one of doubles is rounded once.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves the range of `Value` or of `Int64`, or one of
    ///   decimals has over 38 digits.
    public func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) async throws -> Value {
        try await readOnce { try $0.sum(field, of: request) }
    }

    /// Returns the average of a field over a request, absent values left out, or nil of none.
    public func average<Request: FetchRequestConvertible>(
        _ field: any PartialKeyPath<Request.Model.Storage> & Sendable,
        of request: Request
    ) async throws -> Double? {
        try await readOnce { try $0.average(field, of: request) }
    }

    /// Computes a function over a field of the values of a request, or of what they hold.
    ///
    /// ```swift
    /// let first = try await client.aggregate(.minimum, of: heroes) { $0.publisher.founded }
    /// ```
    ///
    /// What is held by several values counts for each of them; nil is left out.
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of a field that is not a number.
    public func aggregate<Request: FetchRequestConvertible, Value: StorableValue>(
        _ function: AggregateFunction,
        of request: Request,
        _ field: @escaping @Sendable (Fields<Request.Model>) -> Field<Request.Model, Value>
    ) async throws -> StorageValue {
        try await readOnce { try $0.aggregate(function, of: request, field) }
    }

    /// Returns the sum of what is computed over a request, absent values left out; zero when there is none.
    ///
    /// ```swift
    /// let revenue = try await client.sum(of: Line.all) { $0.price * $0.quantity }
    /// ```
    ///
    /// - Throws: `.invalidValue` where a number leaves the range of its type, or the sum that of `Value` or of `Int64`.
    public func sum<Request: FetchRequestConvertible, Term: ExpressionTerm, Value>(
        of request: Request,
        _ term: @escaping @Sendable (Fields<Request.Model>) -> Term
    ) async throws -> Value
    where
        Term.Model == Request.Model,
        Term.Value: ExpressionValue,
        Term.Value.Present == Value,
        Value: StorableValue & Numeric
    {
        try await readOnce { try $0.sum(of: request, term) }
    }

    /// Returns the average of what is computed over a request, absent values left out, or nil of none.
    public func average<Request: FetchRequestConvertible, Term: ExpressionTerm>(
        of request: Request,
        _ term: @escaping @Sendable (Fields<Request.Model>) -> Term
    ) async throws -> Double? where Term.Model == Request.Model, Term.Value: ArithmeticValue {
        try await readOnce { try $0.average(of: request, term) }
    }

    /// Returns the smallest of what is computed over a request, absent values left out, or nil of none.
    public func min<Request: FetchRequestConvertible, Term: ExpressionTerm>(
        of request: Request,
        _ term: @escaping @Sendable (Fields<Request.Model>) -> Term
    ) async throws -> Term.Value.Present?
    where
        Term.Model == Request.Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable
    {
        try await readOnce { try $0.min(of: request, term) }
    }

    /// Returns the largest of what is computed over a request, absent values left out, or nil of none.
    public func max<Request: FetchRequestConvertible, Term: ExpressionTerm>(
        of request: Request,
        _ term: @escaping @Sendable (Fields<Request.Model>) -> Term
    ) async throws -> Term.Value.Present?
    where
        Term.Model == Request.Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable
    {
        try await readOnce { try $0.max(of: request, term) }
    }
}
