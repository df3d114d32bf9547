// What each call of a repository does in a transaction, for the calls that await and those that block.
extension Repository {
    func get(key: Model.PrimaryKey, in transaction: ReadTransaction) throws -> Entity {
        guard let stored = try transaction.find(Model.self, key: key) else {
            throw Self.notFound(key: "\(key)")
        }
        return try decode(stored)
    }

    func get(
        _ query: some FetchRequestConvertible<Model>,
        in transaction: ReadTransaction
    ) throws -> Entity {
        guard let stored = try transaction.fetchOne(query) else { throw Self.notFound() }
        return try decode(stored)
    }

    func getAll(
        keys: [Model.PrimaryKey],
        in transaction: ReadTransaction
    ) throws -> [Entity] {
        let stored = try transaction.find(Model.self, keys: keys)
        guard stored.count == keys.count else {
            let found = Set(stored.map(\.primaryKey))
            throw Self.notFound(key: keys.first { !found.contains($0) }.map { "\($0)" })
        }
        return try stored.map(decode)
    }

    func getAll(
        _ query: some FetchRequestConvertible<Model>,
        in transaction: ReadTransaction
    ) throws -> [Entity] {
        try transaction.fetch(query).map(decode)
    }

    func put(_ entity: Entity, in transaction: WriteTransaction) throws -> Entity {
        let stored = try storage(of: entity, in: transaction)
        return try decode(transaction.upsert(stored).value)
    }

    func delete(key: Model.PrimaryKey, in transaction: WriteTransaction) throws {
        guard try transaction.delete(Model.self, key: key) else {
            throw Self.notFound(key: "\(key)")
        }
    }

    func delete(_ entity: Entity, in transaction: WriteTransaction) throws {
        try delete(key: encode(entity, nil).primaryKey, in: transaction)
    }

    private func storage(
        of entity: Entity,
        in transaction: ReadTransaction
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
            "The value must be stored; it was not found.",
            entity: Model.Storage.schema.entity.name,
            key: key
        )
    }
}
