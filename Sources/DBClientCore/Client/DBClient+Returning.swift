// Writing the values of a request, and returning them; and copying them inside the store.
extension DBClient {
    /// Writes some fields of the values of a request, and returns the values as they are then, in the request's order.
    ///
    /// ```swift
    /// let taken = try await client.updateReturning(Job.where { $0.worker == nil }.limit(10)) {
    ///     $0.set(\.worker, to: name)
    /// }
    /// ```
    ///
    /// The order is that of the values as they were before.
    public func updateReturning<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: @escaping @Sendable (inout Assignments<Request.Model>) throws -> Void
    ) async throws -> [Request.Model] {
        try await writeOnce { try $0.updateReturning(request, assign) }
    }

    /// Deletes the values of a request, and returns them as they were, in the request's order.
    ///
    /// ```swift
    /// let expired = try await client.deleteReturning(Session.where { $0.end < now })
    /// ```
    public func deleteReturning<Request: FetchRequestConvertible>(
        _ request: Request
    ) async throws -> [Request.Model] {
        try await writeOnce { try $0.deleteReturning(request) }
    }

    /// Inserts values that are made from those of a request, one of each, and returns how many there were.
    ///
    /// ```swift
    /// let count = try await client.insert(
    ///     ArchivedOrder.self,
    ///     from: Order.where { $0.isClosed }
    /// ) { archived, order in
    ///     archived.set(\.id, to: order.id)
    ///     archived.set(\.total, to: order.price * order.quantity)
    ///     archived.set(\.reason, to: "closed")
    /// }
    /// ```
    ///
    /// They are inserted in the request's order, after all of its values are read, which may be of the same model. A
    /// property that is not set begins with what the model's declaration says, an optional one with nil, and a key that
    /// the store makes is made. Where a database can do it in one statement, no value leaves it.
    ///
    /// - Parameters:
    ///   - type: The model of the new values, which holds no others.
    ///   - request: The values that are read.
    ///   - assign: Sets the properties of a new value, to fields of a value that is read, to what is computed from them,
    ///     and to constants. It is called once, not for each value.
    /// - Returns: How many values were inserted.
    /// - Throws: `.invalidRequest` when a property that has no default is not set; what `insert` throws.
    ///   Nothing of the call is then written.
    @discardableResult
    public func insert<Model: StoredConvertible, Request: FetchRequestConvertible>(
        _ type: Model.Type,
        from request: Request,
        _ assign:
            @escaping @Sendable (
                inout InsertedFields<Model, Request.Model>, Fields<Request.Model>
            ) throws -> Void
    ) async throws -> Int {
        try await writeOnce { try $0.insert(type, from: request, assign) }
    }

    /// Inserts values that are made from the rows of a join, one of each, and returns how many there were.
    ///
    /// ```swift
    /// try await client.insert(SoldLine.self, from: lines) { sold, row in
    ///     sold.set(\.id, to: row.0.id)
    ///     sold.set(\.name, to: row.1.name)
    /// }
    /// ```
    ///
    /// It is what the insertion from a request of one model is.
    @discardableResult
    public func insert<Model: StoredConvertible, Rows: JoinedRows>(
        _ type: Model.Type,
        from request: JoinRequest<Rows>,
        _ assign:
            @escaping @Sendable (inout InsertedFields<Model, Rows>, Rows.Fields) throws -> Void
    ) async throws -> Int {
        try await writeOnce { try $0.insert(type, from: request, assign) }
    }
}
