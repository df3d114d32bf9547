extension DBClient {
    /// Copies models from another store to this one, whichever engines they have.
    ///
    /// ```swift
    /// let copied = try await server.copy(Character.self, from: store) { print($0.fraction) }
    /// print(copied["Character"]?.count ?? 0)
    /// ```
    ///
    /// It is one snapshot of the source and one atomic write here, with as much in memory as a page of rows
    /// takes, where the engines need no more. Entities are copied whole and as they are stored: those of the
    /// models, and all that their values lead to through relationships, by value or by reference. Lists keep
    /// their order. Keys that the source has made are kept, and this store generates the keys after them.
    ///
    /// What the two stores have must fit the models, so ``migrate(_:onFailure:progress:)`` comes first where
    /// it is needed. An entity of which the source has nothing is left alone. Inside a transaction of the
    /// source, a copy that blocks its thread is of what that one sees.
    ///
    /// - Parameters:
    ///   - models: What is copied.
    ///   - source: The other store.
    ///   - policy: What becomes of a value whose key this store has already, named or held by one that is.
    ///   - progress: Told after each page of rows, on the thread that writes; again when the transaction is
    ///     repeated. The source counts its rows first if a closure is given.
    /// - Returns: How many values were inserted and updated, entity by entity.
    /// - Throws: `.duplicateKey` for a value that the target has already, by default; `.uniqueViolation`;
    ///   `.schemaMismatch` when what a store has is not what a model says, and when the source has fields or
    ///   lists that the model lacks; `.invalidRequest` for a copy of the store itself or of a preview of it;
    ///   `.readOnly` through a client that checks what is written; `.unsupported` for a model that the two
    ///   stores keep in different shapes; `.cancelled`. Nothing is then copied.
    @discardableResult
    public func copy<each Model: StoredConvertible>(
        _ models: repeat (each Model).Type,
        from source: any DBClient,
        onConflict policy: CopyConflictPolicy = .refuse,
        progress: (@Sendable (CopyProgress) -> Void)? = nil
    ) async throws -> CopyOutcome {
        var copied: [CopiedModel] = []
        repeat copied.append(CopiedModel(each models))
        let models = copied
        return try await write { try $0.copy(models, from: source, policy, progress) }
    }

    /// Copies entities from another store to this one, for a program that works on whatever models there
    /// are.
    ///
    /// - Throws: What the copy of models throws; nothing is then copied.
    @discardableResult
    public func copy(
        _ entities: [EntitySchema],
        from source: any DBClient,
        onConflict policy: CopyConflictPolicy = .refuse,
        progress: (@Sendable (CopyProgress) -> Void)? = nil
    ) async throws -> CopyOutcome {
        try await write {
            try $0.copy(entities, from: source, onConflict: policy, progress: progress)
        }
    }
}
