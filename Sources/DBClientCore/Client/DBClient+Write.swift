// Writing without an explicit transaction: each call is an atomic unit, durable when it returns.
extension DBClient {
    /// Inserts values and returns them as they are stored, generated keys filled in.
    ///
    /// - Throws: `.duplicateKey` when a primary key exists, `.uniqueViolation` when a unique field
    ///   or index holds the value; nothing is then written.
    @discardableResult
    public func insert<Model: StoredConvertible>(_ values: [Model]) async throws -> [Model] {
        try await writeOnce { try $0.insert(values) }
    }

    /// Inserts a value and returns it as it is stored, a generated key filled in.
    ///
    /// - Throws: `.duplicateKey` when the primary key exists, `.uniqueViolation` when a unique field
    ///   or index holds the value.
    @discardableResult
    public func insert<Model: StoredConvertible>(_ value: Model) async throws -> Model {
        try await writeOnce { try $0.insert(value) }
    }

    /// Replaces the stored values that have the same primary keys.
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing is then written.
    public func update<Model: StoredConvertible>(_ values: [Model]) async throws {
        try await writeOnce { try $0.update(values) }
    }

    /// Replaces the stored value that has the same primary key.
    ///
    /// - Throws: `.notFound` when it is not stored.
    public func update<Model: StoredConvertible>(_ value: Model) async throws {
        try await writeOnce { try $0.update(value) }
    }

    /// Replaces the stored values that have the same primary keys, skips those that are not stored,
    /// and returns those that were.
    @discardableResult
    public func updateExisting<Model: StoredConvertible>(_ values: [Model]) async throws -> [Model]
    {
        try await writeOnce { try $0.updateExisting(values) }
    }

    /// Inserts the values that are not stored and replaces those that are, and returns which were which.
    ///
    /// Where two values of the call have one primary key, the last one counts.
    @discardableResult
    public func upsert<Model: StoredConvertible>(
        _ values: [Model]
    ) async throws -> UpsertOutcome<Model> {
        try await writeOnce { try $0.upsert(values) }
    }

    /// Inserts the value, or replaces the stored one that has the same primary key.
    @discardableResult
    public func upsert<Model: StoredConvertible>(_ value: Model) async throws -> UpsertResult<Model>
    {
        try await writeOnce { try $0.upsert(value) }
    }

    /// Writes some fields of the value with a primary key; the others keep what is stored.
    ///
    /// ```swift
    /// try await client.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
    /// ```
    ///
    /// - Throws: `.notFound` when it is not stored.
    public func update<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: @escaping @Sendable (inout Assignments<Model>) throws -> Void
    ) async throws {
        try await writeOnce { try $0.update(type, key: key, assign) }
    }

    /// Writes some fields of the values with these primary keys, of each its own; the others keep what is
    /// stored.
    ///
    /// Many are written together where the engine has a way to.
    ///
    /// ```swift
    /// try await client.update(Character.self, keys: Array(names.keys)) { assignments, key in
    ///     assignments.set(\.realName, to: names[key] ?? "")
    /// }
    /// ```
    ///
    /// - Throws: `.notFound` when one of them is not stored; nothing of the call is then written.
    public func update<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: @escaping @Sendable (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) async throws {
        try await writeOnce { try $0.update(type, keys: keys, assign) }
    }

    /// Writes some fields of the values of a request and returns how many there were.
    @discardableResult
    public func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: @escaping @Sendable (inout Assignments<Request.Model>) throws -> Void
    ) async throws -> Int {
        try await writeOnce { try $0.update(request, assign) }
    }
}
