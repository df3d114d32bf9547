// Keys by other fields: the local key of what a server names by its own.
extension ReadTransaction {
    /// Returns the primary key of the one value that fulfils a condition, or nil.
    ///
    /// - Throws: `.invalidRequest` when more than one value does.
    public func findKey<Model: StoredConvertible>(
        of type: Model.Type,
        where condition: (Fields<Model>) -> Condition<Model>
    ) throws -> Model.PrimaryKey? {
        let found = try fetch(Model.where(condition).limit(2))
        guard found.count < 2 else {
            throw DBClientError(
                .invalidRequest,
                "More than one value fulfils the condition, so it names no key.",
                entity: Model.Storage.schema.entity.name
            )
        }
        return found.first?.primaryKey
    }
}

extension DBClient {
    /// Returns the primary key of the one value that fulfils a condition, or nil.
    ///
    /// ```swift
    /// let key = try await client.findKey(of: Character.self) { $0.serverId == "c-1455" }
    /// ```
    ///
    /// - Throws: `.invalidRequest` when more than one value does.
    public func findKey<Model: StoredConvertible>(
        of type: Model.Type,
        where condition: @escaping @Sendable (Fields<Model>) -> Condition<Model>
    ) async throws -> Model.PrimaryKey? {
        try await readOnce { try $0.findKey(of: type, where: condition) }
    }
}

extension BlockingDBClient {
    /// Returns the primary key of the one value that fulfils a condition, or nil.
    ///
    /// - Throws: `.invalidRequest` when more than one value does.
    public func findKey<Model: StoredConvertible>(
        of type: Model.Type,
        where condition: (Fields<Model>) -> Condition<Model>
    ) throws -> Model.PrimaryKey? {
        try client.readOnceBlocking { try $0.findKey(of: type, where: condition) }
    }
}
