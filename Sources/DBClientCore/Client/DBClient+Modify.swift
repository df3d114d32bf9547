extension DBClient {
    /// Reads the value with a primary key, changes it, stores it, and returns it, as one transaction.
    ///
    /// ```swift
    /// try await client.modify(Character.self, key: 1455) { $0.aliases.append("Shellhead") }
    /// ```
    ///
    /// - Throws: `.notFound` when there is none, `.invalidRequest` when the change sets the primary key.
    @discardableResult
    public func modify<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ change: @escaping @Sendable (inout Model) throws -> Void
    ) async throws -> Model {
        try await write { try $0.modify(type, key: key, change) }
    }

    /// Reads the values of a request, changes each, stores them, and returns them, as one transaction.
    ///
    /// - Throws: `.invalidRequest` when a change sets the primary key.
    @discardableResult
    public func modify<Request: FetchRequestConvertible>(
        _ request: Request,
        _ change: @escaping @Sendable (inout Request.Model) throws -> Void
    ) async throws -> [Request.Model] {
        try await write { try $0.modify(request, change) }
    }
}
