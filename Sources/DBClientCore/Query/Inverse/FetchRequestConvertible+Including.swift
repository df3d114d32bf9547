extension FetchRequestConvertible where Model: Stored {
    /// Returns a request for the values with those of other models that lead to them, in the properties that `@Inverse` declares.
    ///
    /// ```swift
    /// let albums = try await client.fetch(Album.where { $0.year == 1969 }.including(\.tracks))
    /// ```
    ///
    /// A property that is not named is as it begins: empty, or nil where it is optional. The values come in the order of their
    /// primary keys, each once, and with what they hold; inverse properties of their own are not loaded. Each property is found by
    /// one query, and one more where links lead to the values.
    ///
    /// - Parameter properties: Inverse properties of the model. Another property makes the call that uses the request throw
    ///   `.invalidRequest`.
    /// - Returns: The request, in the order of this one, its limit and offset applied.
    public func including(
        _ properties: any PartialKeyPath<Model> & Sendable...
    ) -> SelectRequest<Model> {
        let request = request
        return SelectRequest { transaction, rows in
            let inverses = try properties.map { try Model.inverse(for: $0) }
            let query = try request.rowQuery()
            let areAll =
                query.condition == .constant(true) && query.limit == nil && query.offset == 0
            var models = try transaction.fetch(request)
            for inverse in inverses { try inverse.load(&models, areAll, transaction) }
            if rows.isEmpty { rows = models } else { rows += models }
        }
    }
}

extension Stored {
    fileprivate static func inverse(
        for keyPath: PartialKeyPath<Self>
    ) throws(DBClientError) -> InverseProperty<Self> {
        if let inverse = schema.inverse(at: keyPath) { return inverse }
        throw DBClientError(
            .invalidRequest,
            "Only inverse properties are loaded when they are asked for; \((keyPath as AnyKeyPath).named) is none.",
            entity: schema.entity.name,
            hint: "Mark the property with `@Inverse`. Relationships are loaded with their owner."
        )
    }
}
