// The calls that take a join.
extension ReadCalls {
    /// Returns the models of each row of a join, in the request's order.
    ///
    /// - Throws: `DBClientError` for whatever is wrong with the request, `.decoding` when a stored value does not fit its
    ///   model.
    public func fetch<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) throws -> [Rows.Values] {
        try fetch(request.models)
    }

    /// Returns the number of rows of a join, its limit and offset applied.
    public func count<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) throws -> Int {
        try count(request.request)
    }

    /// Returns whether a join has any row.
    public func exists<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) throws -> Bool {
        try exists(request.request)
    }

    /// Describes how the engine would run a join, for a person.
    public func explain<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) throws -> String {
        try explain(request.request)
    }
}

extension DBClient {
    /// Returns the models of each row of a join, in the request's order.
    ///
    /// - Throws: `DBClientError` for whatever is wrong with the request, `.decoding` when a stored value does not fit its
    ///   model.
    public func fetch<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) async throws -> [Rows.Values] {
        try await fetch(request.models)
    }

    /// Returns the number of rows of a join, its limit and offset applied.
    public func count<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) async throws -> Int {
        try await count(request.request)
    }

    /// Returns whether a join has any row.
    public func exists<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) async throws -> Bool {
        try await exists(request.request)
    }

    /// Describes how the engine would run a join, for a person.
    public func explain<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) async throws -> String {
        try await explain(request.request)
    }

    /// Returns what a read finds, and then each other value that it finds when values of the models of a join were written.
    ///
    /// ```swift
    /// for try await rows in client.observe(lines, { try $0.fetch(report) }) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The join of whose models any value that is written may change what is read.
    ///   - read: Reads the value in a transaction; called again after each commit that wrote such values, or once for
    ///     several.
    /// - Returns: The values that it takes.
    public func observe<Rows: JoinedRows, Value: Equatable & Sendable>(
        _ request: JoinRequest<Rows>,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) -> ValueStream<Value> {
        observe(request.request, read)
    }
}

extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that fetches the models of each row of a join.
    public static func fetch<Rows: JoinedRows>(
        _ request: JoinRequest<Rows>
    ) -> Self where Value == [Rows.Values] {
        Self { try $0.fetch(request) }
    }
}
