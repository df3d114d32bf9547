extension Repository {
    /// Returns the value with a primary key.
    ///
    /// - Throws: `.notFound` when there is none.
    public func get(key: Model.PrimaryKey) async throws -> Entity {
        try await client.read { try self.get(key: key, in: $0) }
    }

    /// Returns the first value of a query.
    ///
    /// - Throws: `.notFound` when there is none.
    public func get(_ query: some FetchRequestConvertible<Model>) async throws -> Entity {
        try await client.read { try self.get(query, in: $0) }
    }

    /// Returns every value, in the order of the primary key.
    public func getAll() async throws -> [Entity] {
        try await getAll(Model.all)
    }

    /// Returns the values with some primary keys, in their order.
    ///
    /// - Throws: `.notFound` when one of them is not stored.
    public func getAll(keys: [Model.PrimaryKey]) async throws -> [Entity] {
        try await client.read { try self.getAll(keys: keys, in: $0) }
    }

    /// Returns the values of a query.
    public func getAll(_ query: some FetchRequestConvertible<Model>) async throws -> [Entity] {
        try await client.read { try self.getAll(query, in: $0) }
    }

    /// Stores a value, in place of the one that is stored under its key, and returns it as it is
    /// stored.
    @discardableResult
    public func put(_ entity: Entity) async throws -> Entity {
        try await client.write { try self.put(entity, in: $0) }
    }

    /// Stores values, in place of those that are stored under their keys, and returns them as they are
    /// stored, in their order.
    @discardableResult
    public func putAll(_ entities: [Entity]) async throws -> [Entity] {
        try await client.write { transaction in
            try entities.map { try self.put($0, in: transaction) }
        }
    }

    /// Deletes the value with a primary key.
    ///
    /// - Throws: `.notFound` when there is none.
    public func delete(key: Model.PrimaryKey) async throws {
        try await client.write { try self.delete(key: key, in: $0) }
    }

    /// Deletes what is stored of a value.
    ///
    /// - Throws: `.notFound` when nothing is.
    public func delete(_ entity: Entity) async throws {
        try await client.write { try self.delete(entity, in: $0) }
    }

    /// Deletes the values of a query and returns how many there were.
    @discardableResult
    public func deleteAll(_ query: some FetchRequestConvertible<Model>) async throws -> Int {
        try await client.write { try $0.delete(query) }
    }

    /// Deletes every value and returns how many there were.
    @discardableResult
    public func deleteAll() async throws -> Int {
        try await client.write { try $0.deleteAll(Model.self) }
    }
}
