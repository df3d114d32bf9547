// Writing values that may conflict with stored ones, and finding stored ones by what else is unique.
extension WriteCalls {
    /// Inserts those values that conflict with no stored one, leaves out the others, and returns those that were
    /// inserted, as they are stored, in the order given.
    ///
    /// ```swift
    /// let new = try client.blocking.insertIfAbsent(imported)
    /// ```
    ///
    /// A value conflicts with a stored one, and with an earlier one of the call that was inserted, when both have the same
    /// primary key, or the same values in a unique field or in the fields of a unique index. Nil conflicts with nothing,
    /// and neither does a key that the store is to make. What is stored stays as it is.
    ///
    /// - Throws: What `insert` throws for anything else; nothing of the call is then written.
    @discardableResult
    public func insertIfAbsent<Model: StoredConvertible>(_ values: [Model]) throws -> [Model] {
        try writing(asOneCall: true) {
            try Model.mapping(in: $0).write(values, .insertIfAbsent, in: $0).inserted
        }
    }

    /// Inserts a value unless it conflicts with a stored one, and returns it as it is stored, or nil when it was left out.
    @discardableResult
    public func insertIfAbsent<Model: StoredConvertible>(_ value: Model) throws -> Model? {
        try insertIfAbsent([value]).first
    }

    /// Replaces the stored values that have the same values in some fields, inserts the others, and returns which were
    /// which.
    ///
    /// ```swift
    /// try client.blocking.upsert(accounts, by: \.tenant, \.login)
    /// ```
    ///
    /// A stored value that is found keeps its primary key, and takes every other field from the value that is given, whose
    /// own key is not written; what is returned has the stored key. A value with nil in one of the fields finds nothing
    /// and is inserted. Of two values of the call with the same values in the fields the last one counts.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - field: A property that is unique, or the first of those of a unique index.
    ///   - others: The other properties of the index, in any order.
    /// - Returns: The values as they are stored.
    /// - Throws: `.invalidRequest` when no unique index of the model has exactly these fields; `.duplicateKey` when a
    ///   value that finds nothing has a primary key that is stored; `.uniqueViolation` when another unique field or index
    ///   holds a value. Nothing of the call is then written.
    @discardableResult
    public func upsert<Model: StoredConvertible>(
        _ values: [Model],
        by field: PartialKeyPath<Model.Storage>,
        _ others: PartialKeyPath<Model.Storage>...
    ) throws -> UpsertOutcome<Model> {
        try upsert(
            values,
            by: Result { try UniqueFields([field] + others, of: Model.Storage.self) }
        )
    }

    /// Replaces the stored value that has the same values in some fields, or inserts the value.
    @discardableResult
    public func upsert<Model: StoredConvertible>(
        _ value: Model,
        by field: PartialKeyPath<Model.Storage>,
        _ others: PartialKeyPath<Model.Storage>...
    ) throws -> UpsertResult<Model> {
        try upsert(value, by: Result { try UniqueFields([field] + others, of: Model.Storage.self) })
    }

    func upsert<Model: StoredConvertible>(
        _ values: [Model],
        by fields: Result<UniqueFields, any Error>
    ) throws -> UpsertOutcome<Model> {
        try writing(asOneCall: true) { transaction in
            let fields = try transaction.resolving(.upsert, Model.self) { try fields.get() }
            return try Model.mapping(in: transaction).write(
                values,
                .upsertBy(fields),
                in: transaction
            )
        }
    }

    func upsert<Model: StoredConvertible>(
        _ value: Model,
        by fields: Result<UniqueFields, any Error>
    ) throws -> UpsertResult<Model> {
        let outcome = try upsert([value], by: fields)
        return UpsertResult(
            value: outcome.inserted.first ?? outcome.updated.first ?? value,
            isUpdated: outcome.inserted.isEmpty
        )
    }
}
