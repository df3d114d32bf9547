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
        try Request.Model.checkHasOneShape()
        let field = field(Fields())
        let column = try field.column()
        try field.entity.check(function, on: column)
        return try transaction.engineReader.aggregate(
            function,
            column: column,
            through: field.path,
            of: request.request.rowQuery()
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
        try await read { try $0.aggregate(function, of: request, field) }
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
        try read { try $0.aggregate(function, of: request, field) }
    }
}
