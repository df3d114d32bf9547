extension WriteTransaction {
    /// Reads the value with a primary key, changes it, stores it, and returns it.
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
        _ change: (inout Model) throws -> Void
    ) throws -> Model {
        guard let value = try find(type, key: key) else {
            throw DBClientError(
                .notFound,
                "There is no value with this primary key to modify.",
                entity: Model.Storage.schema.entity.name,
                key: "\(key)"
            )
        }
        return try modify([value], change)[0]
    }

    /// Reads the values of a request, changes each, stores them, and returns them.
    ///
    /// - Throws: `.invalidRequest` when a change sets the primary key.
    @discardableResult
    public func modify<Request: FetchRequestConvertible>(
        _ request: Request,
        _ change: (inout Request.Model) throws -> Void
    ) throws -> [Request.Model] {
        try modify(fetch(request), change)
    }

    /// Changes values, stores them, and returns them.
    func modify<Model: StoredConvertible>(
        _ values: [Model],
        _ change: (inout Model) throws -> Void
    ) throws -> [Model] {
        let modified = try values.map { value in
            var copy = value
            try change(&copy)
            // By the stored form: two texts may be equal and two keys.
            let keys = try KeyRows<Model.Storage>([value.primaryKey, copy.primaryKey])
            guard keys.isEqual(0, keys, 1) else {
                throw DBClientError(
                    .invalidRequest,
                    "The primary key of a stored value cannot be set.",
                    entity: Model.Storage.schema.entity.name,
                    hint: "Delete the value and insert it under its new key."
                )
            }
            return copy
        }
        try update(modified)
        return modified
    }
}

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

extension BlockingDBClient {
    /// Reads the value with a primary key, changes it, stores it, and returns it, as one transaction.
    ///
    /// - Throws: `.notFound` when there is none, `.invalidRequest` when the change sets the primary key.
    @discardableResult
    public func modify<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ change: (inout Model) throws -> Void
    ) throws -> Model {
        try write { try $0.modify(type, key: key, change) }
    }

    /// Reads the values of a request, changes each, stores them, and returns them, as one transaction.
    ///
    /// - Throws: `.invalidRequest` when a change sets the primary key.
    @discardableResult
    public func modify<Request: FetchRequestConvertible>(
        _ request: Request,
        _ change: (inout Request.Model) throws -> Void
    ) throws -> [Request.Model] {
        try write { try $0.modify(request, change) }
    }
}
