/// A repository's calls for code that cannot await: the same names and meanings, blocking the calling
/// thread until the call is done.
///
/// Inside a transaction of the same client on the same thread a call joins that transaction.
public struct BlockingRepository<Model: StoredConvertible, Entity: Sendable>: Sendable {
    fileprivate let repository: Repository<Model, Entity>
}

extension Repository {
    /// The repository's calls in a form that blocks the calling thread.
    public var blocking: BlockingRepository<Model, Entity> {
        BlockingRepository(repository: self)
    }
}

extension BlockingDBClient {
    /// Returns the repository of a model, stored as it is or converted.
    public func repository<Model: StoredConvertible>(
        for type: Model.Type
    ) -> BlockingRepository<Model, Model> {
        client.repository(for: type).blocking
    }
}

extension BlockingRepository {
    /// Returns the value with a primary key.
    ///
    /// - Throws: `.notFound` when there is none.
    public func get(key: Model.PrimaryKey) throws -> Entity {
        try repository.client.readBlocking { try repository.get(key: key, in: $0) }
    }

    /// Returns the first value of a query.
    ///
    /// - Throws: `.notFound` when there is none.
    public func get(_ query: some FetchRequestConvertible<Model>) throws -> Entity {
        try repository.client.readBlocking { try repository.get(query, in: $0) }
    }

    /// Returns every value, blocking the calling thread.
    public func getAll() throws -> [Entity] {
        try getAll(Model.all)
    }

    /// Returns the values with some primary keys, in their order.
    ///
    /// - Throws: `.notFound` when one of them is not stored.
    public func getAll(keys: [Model.PrimaryKey]) throws -> [Entity] {
        try repository.client.readBlocking { try repository.getAll(keys: keys, in: $0) }
    }

    /// Returns the values of a query.
    public func getAll(_ query: some FetchRequestConvertible<Model>) throws -> [Entity] {
        try repository.client.readBlocking { try repository.getAll(query, in: $0) }
    }

    /// Stores a value, in place of the one that is stored under its key, and returns it as it is
    /// stored.
    @discardableResult
    public func put(_ entity: Entity) throws -> Entity {
        try repository.client.writeBlocking { try repository.put(entity, in: $0) }
    }

    /// Stores values, in place of those that are stored under their keys, and returns them as they are
    /// stored, in their order.
    @discardableResult
    public func putAll(_ entities: [Entity]) throws -> [Entity] {
        try repository.client.writeBlocking { transaction in
            try entities.map { try repository.put($0, in: transaction) }
        }
    }

    /// Deletes the value with a primary key.
    ///
    /// - Throws: `.notFound` when there is none.
    public func delete(key: Model.PrimaryKey) throws {
        try repository.client.writeBlocking { try repository.delete(key: key, in: $0) }
    }

    /// Deletes what is stored of a value.
    ///
    /// - Throws: `.notFound` when nothing is.
    public func delete(_ entity: Entity) throws {
        try repository.client.writeBlocking { try repository.delete(entity, in: $0) }
    }

    /// Deletes the values of a query and returns how many there were.
    @discardableResult
    public func deleteAll(_ query: some FetchRequestConvertible<Model>) throws -> Int {
        try repository.client.writeBlocking { try $0.delete(query) }
    }

    /// Deletes every value and returns how many there were.
    @discardableResult
    public func deleteAll() throws -> Int {
        try repository.client.writeBlocking { try $0.deleteAll(Model.self) }
    }
}
