// Copying rows inside the store.
extension WriteCalls {
    /// Inserts values that are made from those of a request, one of each, and returns how many there were.
    ///
    /// ```swift
    /// let count = try client.blocking.insert(
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
        _ assign: (inout InsertedFields<Model, Request.Model>, Fields<Request.Model>) throws -> Void
    ) throws -> Int {
        try writing(asOneCall: true) {
            try Model.mapping(in: $0).insert(from: request, in: $0, assign)
        }
    }

    /// Inserts values that are made from the rows of a join, one of each, and returns how many there were.
    ///
    /// ```swift
    /// let lines = Line.join(Product.self) { $0.product == $1.id }
    /// try client.blocking.insert(SoldLine.self, from: lines) { sold, row in
    ///     sold.set(\.id, to: row.0.id)
    ///     sold.set(\.name, to: row.1.name)
    ///     sold.set(\.total, to: row.0.price * row.0.quantity)
    /// }
    /// ```
    ///
    /// It is what the insertion from a request of one model is.
    @discardableResult
    public func insert<Model: StoredConvertible, Rows: JoinedRows>(
        _ type: Model.Type,
        from request: JoinRequest<Rows>,
        _ assign: (inout InsertedFields<Model, Rows>, Rows.Fields) throws -> Void
    ) throws -> Int {
        try insert(type, from: request.request) { inserted, fields in
            var parts = JoinedFields<Rows>(fields.scope)
            try assign(&inserted, Rows.fields(&parts))
        }
    }
}
