extension WriteTransaction {
    /// Makes a store fit the models of a program, step by step, and returns what was changed.
    ///
    /// - Parameters:
    ///   - steps: What is to be done, in order.
    ///   - policy: What becomes of what cannot be done.
    ///   - progress: Told before, while and after each change is made.
    /// - Returns: The changes that were made.
    /// - Throws: `.migrationRequired` when stored values fit no step; nothing of the call is then changed.
    ///   `.unsupported` when the engine cannot change what it stores, `.readOnly` through a client that checks
    ///   what is written.
    @discardableResult
    public func migrate(
        _ steps: [Migration],
        onFailure policy: MigrationFailurePolicy = .undo,
        progress: (MigrationProgress) -> Void = { _ in }
    ) throws -> [MigrationChange] {
        guard writesRows, let writer = try storeReader as? any EngineWriter else {
            throw DBClientError(
                .readOnly,
                "A client that validates must not be used to migrate the store.",
                hint: "Migrate the store through the client that this one decorates."
            )
        }
        let runner = MigrationRunner(steps: steps, policy: policy)
        return try intercept(TransactionCall(.migrate, entity: nil)) {
            let changes = try write { nested in
                try runner.run(in: nested, writer, progress)
            }
            if !changes.isEmpty { noteUntrackedWrite() }
            return changes
        }
    }
}

extension ReadTransaction {
    /// Returns what a migration would change, as far as it does not depend on another change of it.
    ///
    /// - Throws: `.migrationRequired` when stored values fit no step.
    public func pendingChanges(of steps: [Migration]) throws -> [MigrationChange] {
        try MigrationRunner(steps: steps, policy: .undo).changes(in: reader())
    }

    /// Returns the statements by which a relational engine would change shapes in a migration; none of another engine.
    ///
    /// They are for a person to read. A conversion has none, nor has a step that depends on one before.
    ///
    /// - Throws: `.migrationRequired` when stored values fit no step.
    public func pendingStatements(of steps: [Migration]) throws -> [String] {
        try MigrationRunner(steps: steps, policy: .undo).statements(in: reader())
    }
}

extension DBClient {
    /// Makes a store fit the models of a program, step by step in one transaction, and returns what was
    /// changed.
    ///
    /// Call it when the program starts. Where nothing is to be changed, it only reads.
    ///
    /// ```swift
    /// try await client.migrate([.adapt(Hero.self) { $0.set(\.power, to: 1) }])
    /// ```
    ///
    /// - Parameters:
    ///   - steps: What is to be done, in order.
    ///   - policy: What becomes of what cannot be done.
    ///   - progress: Told before, while and after each change is made; again when the transaction is repeated.
    /// - Returns: The changes that were made.
    /// - Throws: `.migrationRequired` when stored values fit no step; nothing is then changed. `.uniqueViolation`
    ///   when values are not unique of which a server builds a new unique index after the commit.
    @discardableResult
    public func migrate(
        _ steps: [Migration],
        onFailure policy: MigrationFailurePolicy = .undo,
        progress: @escaping @Sendable (MigrationProgress) -> Void = { _ in }
    ) async throws -> [MigrationChange] {
        let runner = MigrationRunner(steps: steps, policy: policy)
        guard try await read({ try runner.isNeeded(in: $0.reader()) }) else { return [] }
        return try await write { try $0.migrate(steps, onFailure: policy, progress: progress) }
    }

    /// Adapts what is stored to models whose new properties are optional, or begin with a literal or a case.
    ///
    /// - Throws: `.migrationRequired` when stored values do not fit; nothing is then changed.
    @discardableResult
    public func migrate<each Model: Stored>(
        to models: repeat (each Model).Type
    ) async throws -> [MigrationChange] {
        var steps: [Migration] = []
        repeat steps.append(.adapt(each models))
        return try await migrate(steps)
    }

    /// Returns what a migration would change, as far as it does not depend on another change of it.
    ///
    /// - Throws: `.migrationRequired` when stored values fit no step.
    public func pendingChanges(of steps: [Migration]) async throws -> [MigrationChange] {
        try await read { try $0.pendingChanges(of: steps) }
    }

    /// Returns the statements by which a relational engine would change shapes in a migration; none of another engine.
    ///
    /// They are for a person to read. A conversion has none, nor has a step that depends on one before.
    ///
    /// - Throws: `.migrationRequired` when stored values fit no step.
    public func pendingStatements(of steps: [Migration]) async throws -> [String] {
        try await read { try $0.pendingStatements(of: steps) }
    }
}

extension BlockingDBClient {
    /// Makes a store fit the models of a program, step by step in one transaction, and returns what was
    /// changed.
    ///
    /// - Throws: `.migrationRequired` when stored values fit no step; nothing is then changed.
    @discardableResult
    public func migrate(
        _ steps: [Migration],
        onFailure policy: MigrationFailurePolicy = .undo,
        progress: (MigrationProgress) -> Void = { _ in }
    ) throws -> [MigrationChange] {
        let runner = MigrationRunner(steps: steps, policy: policy)
        guard try read({ try runner.isNeeded(in: $0.reader()) }) else { return [] }
        return try write { try $0.migrate(steps, onFailure: policy, progress: progress) }
    }

    /// Adapts what is stored to models whose new properties are optional, or begin with a literal or a case.
    ///
    /// - Throws: `.migrationRequired` when stored values do not fit; nothing is then changed.
    @discardableResult
    public func migrate<each Model: Stored>(
        to models: repeat (each Model).Type
    ) throws -> [MigrationChange] {
        var steps: [Migration] = []
        repeat steps.append(.adapt(each models))
        return try migrate(steps)
    }

    /// Returns what a migration would change, as far as it does not depend on another change of it.
    ///
    /// - Throws: `.migrationRequired` when stored values fit no step.
    public func pendingChanges(of steps: [Migration]) throws -> [MigrationChange] {
        try read { try $0.pendingChanges(of: steps) }
    }

    /// Returns the statements by which a relational engine would change shapes in a migration; none of another engine.
    ///
    /// They are for a person to read. A conversion has none, nor has a step that depends on one before.
    ///
    /// - Throws: `.migrationRequired` when stored values fit no step.
    public func pendingStatements(of steps: [Migration]) throws -> [String] {
        try read { try $0.pendingStatements(of: steps) }
    }
}
