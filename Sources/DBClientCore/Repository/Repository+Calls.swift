extension Repository {
    /// Returns the value with a primary key.
    ///
    /// - Throws: `.notFound` when there is none.
    public func get(key: Model.PrimaryKey) async throws -> Entity {
        let decode = decode
        return try await client.read { transaction in
            guard let stored = try transaction.find(Model.self, key: key) else {
                throw Self.notFound(key: "\(key)")
            }
            return try decode(stored)
        }
    }

    /// Returns the first value of a query.
    ///
    /// - Throws: `.notFound` when there is none.
    public func get(_ query: some FetchRequestConvertible<Model>) async throws -> Entity {
        let decode = decode
        return try await client.read { transaction in
            guard let stored = try transaction.fetchOne(query) else { throw Self.notFound() }
            return try decode(stored)
        }
    }

    /// Returns every value.
    public func getAll() async throws -> [Entity] {
        try await getAll(Model.all)
    }

    /// Returns the values with some primary keys, in their order.
    ///
    /// - Throws: `.notFound` when one of them is not stored.
    public func getAll(keys: [Model.PrimaryKey]) async throws -> [Entity] {
        let decode = decode
        return try await client.read { transaction in
            let stored = try transaction.find(Model.self, keys: keys)
            guard stored.count == keys.count else {
                let found = Set(stored.map(\.primaryKey))
                throw Self.notFound(key: keys.first { !found.contains($0) }.map { "\($0)" })
            }
            return try stored.map(decode)
        }
    }

    /// Returns the values of a query.
    public func getAll(_ query: some FetchRequestConvertible<Model>) async throws -> [Entity] {
        let decode = decode
        return try await client.read { try $0.fetch(query).map(decode) }
    }

    /// Stores a value, in place of the one that is stored under its key, and returns it as it is
    /// stored.
    @discardableResult
    public func put(_ entity: Entity) async throws -> Entity {
        let repository = self
        return try await client.write { transaction in
            let stored = try repository.storage(of: entity, in: transaction)
            return try repository.decode(transaction.upsert(stored).value)
        }
    }

    /// Stores values, in place of those that are stored under their keys, and returns them as they are
    /// stored, in their order.
    @discardableResult
    public func putAll(_ entities: [Entity]) async throws -> [Entity] {
        let repository = self
        return try await client.write { transaction in
            try entities.map { entity in
                let stored = try repository.storage(of: entity, in: transaction)
                return try repository.decode(transaction.upsert(stored).value)
            }
        }
    }

    /// Deletes the value with a primary key.
    ///
    /// - Throws: `.notFound` when there is none.
    public func delete(key: Model.PrimaryKey) async throws {
        try await client.write { transaction in
            guard try transaction.delete(Model.self, key: key) else {
                throw Self.notFound(key: "\(key)")
            }
        }
    }

    /// Deletes what is stored of a value.
    ///
    /// - Throws: `.notFound` when nothing is.
    public func delete(_ entity: Entity) async throws {
        try await delete(key: encode(entity, nil).primaryKey)
    }

    /// Deletes the values of a query and returns how many there were.
    @discardableResult
    public func deleteAll(_ query: some FetchRequestConvertible<Model>) async throws -> Int {
        try await client.delete(query)
    }

    /// Deletes every value and returns how many there were.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await client.deleteAll(Model.self)
    }

    private func storage(
        of entity: Entity,
        in transaction: any ReadTransaction
    ) throws -> Model {
        let new = try encode(entity, nil)
        guard asksForExisting,
            let stored = try transaction.find(Model.self, key: new.primaryKey)
        else { return new }
        return try encode(entity, stored)
    }

    private static func notFound(key: String? = nil) -> DBClientError {
        DBClientError(
            .notFound,
            "There is no such value.",
            entity: Model.Storage.schema.entity.name,
            key: key
        )
    }
}
