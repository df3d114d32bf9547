extension BlockingDBClient {
    /// Copies models from another store to this one, blocking the calling thread; see
    /// `DBClient.copy(_:from:onConflict:progress:)`.
    ///
    /// - Throws: `.duplicateKey` for a value that is there already, by default; nothing is then copied.
    @discardableResult
    public func copy<each Model: StoredConvertible>(
        _ models: repeat (each Model).Type,
        from source: any DBClient,
        onConflict policy: CopyConflictPolicy = .refuse,
        progress: ((CopyProgress) -> Void)? = nil
    ) throws -> CopyOutcome {
        var copied: [CopiedModel] = []
        repeat copied.append(CopiedModel(each models))
        return try write { try $0.copy(copied, from: source, policy, progress) }
    }

    /// Copies entities from another store to this one, blocking the calling thread.
    ///
    /// - Throws: What the copy of models throws; nothing is then copied.
    @discardableResult
    public func copy(
        _ entities: [EntitySchema],
        from source: any DBClient,
        onConflict policy: CopyConflictPolicy = .refuse,
        progress: ((CopyProgress) -> Void)? = nil
    ) throws -> CopyOutcome {
        try write {
            try $0.copy(entities, from: source, onConflict: policy, progress: progress)
        }
    }
}
