extension ReadTransaction {
    /// Computes a function over a field of the values of a request, or of what they hold.
    ///
    /// ```swift
    /// let first = try transaction.aggregate(.minimum, of: heroes) { $0.publisher.founded }
    /// ```
    ///
    /// What is held by several values counts for each of them; nil is left out.
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of a field that is not a number.
    public func aggregate<Request: FetchRequestConvertible, Value: StorableValue>(
        _ function: AggregateFunction,
        of request: Request,
        _ field: (Fields<Request.Model>) -> Field<Request.Model, Value>
    ) throws -> StorageValue {
        guard let transaction = self as? any EngineBackedTransaction else {
            throw DBClientError(.unsupported, "The transaction is of no engine.")
        }
        let field = field(Fields())
        let column = try field.column()
        try field.entity.check(function, on: column)
        return try Request.Model.conversion(in: self).aggregate(
            function,
            RowOrdering(column: column, path: field.path),
            of: request.request,
            in: transaction.engineReader
        )
    }
}

extension DBClient {
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
}

extension BlockingDBClient {
    /// Computes a function over a field of the values of a request, or of what they hold.
    ///
    /// What is held by several values counts for each of them; nil is left out.
    ///
    /// - Throws: `.invalidRequest` for a sum or an average of a field that is not a number.
    public func aggregate<Request: FetchRequestConvertible, Value: StorableValue>(
        _ function: AggregateFunction,
        of request: Request,
        _ field: (Fields<Request.Model>) -> Field<Request.Model, Value>
    ) throws -> StorageValue {
        try client.readOnceBlocking { try $0.aggregate(function, of: request, field) }
    }
}
