extension WriteCalls {
    /// Copies models from another store, as `DBClient.copy(_:from:onConflict:progress:)` does, as a part
    /// of this transaction.
    ///
    /// - Throws: What that throws; nothing of the call is then written.
    @discardableResult
    public func copy<each Model: StoredConvertible>(
        _ models: repeat (each Model).Type,
        from source: any DBClient,
        onConflict policy: CopyConflictPolicy = .refuse,
        progress: ((CopyProgress) -> Void)? = nil
    ) throws -> CopyOutcome {
        var copied: [CopiedModel] = []
        repeat copied.append(CopiedModel(each models))
        return try writing(asOneCall: false) { try $0.copy(copied, from: source, policy, progress) }
    }

    /// Copies entities from another store, for a program that works on whatever models there are.
    ///
    /// - Throws: What the copy of models throws; nothing of the call is then written.
    @discardableResult
    public func copy(
        _ entities: [EntitySchema],
        from source: any DBClient,
        onConflict policy: CopyConflictPolicy = .refuse,
        progress: ((CopyProgress) -> Void)? = nil
    ) throws -> CopyOutcome {
        try writing(asOneCall: false) {
            try $0.copy(entities.map { CopiedModel($0) }, from: source, policy, progress)
        }
    }
}

extension WriteTransaction {
    /// Copies models from another store.
    ///
    /// - Parameters:
    ///   - models: What is copied, with all that its values lead to.
    ///   - source: The other store.
    ///   - policy: The treatment of values that the target has already.
    ///   - progress: Told after each page of rows.
    /// - Returns: How much was copied.
    /// - Throws: What `DBClient.copy(_:from:onConflict:progress:)` throws.
    func copy(
        _ models: [CopiedModel],
        from source: any DBClient,
        _ policy: CopyConflictPolicy,
        _ progress: ((CopyProgress) -> Void)?
    ) throws -> CopyOutcome {
        try checkIsCopied(from: source)
        defer { openContext?.noteWrite() }
        let thread = currentThread()
        return try source.readBlocking { reading in
            // A transaction stays on its thread.
            guard currentThread() == thread else {
                throw DBClientError(
                    .unsupported,
                    "The client that is copied from must read on the thread of its caller."
                )
            }
            // Behind a client that does not say which store it is of.
            if outermost === reading.outermost { throw Self.isCopiedToItself }
            // A source that begins its read again finds the target as it was.
            return try write { nested in
                let entities = try models.entities(from: reading, to: nested)
                return try StoreCopy(entities, policy, from: reading, to: nested, progress).run()
            }
        }
    }

    /// Throws when rows cannot be written in the transaction, or are those that would be read.
    private func checkIsCopied(from source: any DBClient) throws {
        guard writesRows else {
            throw DBClientError(
                .readOnly,
                "A client that validates must not be used to copy from another store.",
                hint: "Copy to the client that this one decorates."
            )
        }
        guard let engine = TransactionFrame.engine(of: self),
            source.observation.isOfStore(of: engine)
        else { return }
        throw Self.isCopiedToItself
    }

    private static var isCopiedToItself: DBClientError {
        DBClientError(.invalidRequest, "A store must not be copied to itself.")
    }
}
