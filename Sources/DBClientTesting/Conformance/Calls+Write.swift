import DBClientCore

extension Calls {
    @discardableResult
    func insert<Model: StoredConvertible>(_ values: [Model]) async throws -> [Model] {
        switch style {
        case .async: try await client.insert(values)
        case .blocking: try client.blocking.insert(values)
        case .transaction: try await client.write { try $0.insert(values) }
        }
    }

    @discardableResult
    func insert<Model: StoredConvertible>(_ value: Model) async throws -> Model {
        switch style {
        case .async: try await client.insert(value)
        case .blocking: try client.blocking.insert(value)
        case .transaction: try await client.write { try $0.insert(value) }
        }
    }

    func update<Model: StoredConvertible>(_ values: [Model]) async throws {
        switch style {
        case .async: try await client.update(values)
        case .blocking: try client.blocking.update(values)
        case .transaction: try await client.write { try $0.update(values) }
        }
    }

    func update<Model: StoredConvertible>(_ value: Model) async throws {
        switch style {
        case .async: try await client.update(value)
        case .blocking: try client.blocking.update(value)
        case .transaction: try await client.write { try $0.update(value) }
        }
    }

    @discardableResult
    func updateExisting<Model: StoredConvertible>(_ values: [Model]) async throws -> [Model] {
        switch style {
        case .async: try await client.updateExisting(values)
        case .blocking: try client.blocking.updateExisting(values)
        case .transaction: try await client.write { try $0.updateExisting(values) }
        }
    }

    @discardableResult
    func upsert<Model: StoredConvertible>(_ values: [Model]) async throws -> UpsertOutcome<Model> {
        switch style {
        case .async: try await client.upsert(values)
        case .blocking: try client.blocking.upsert(values)
        case .transaction: try await client.write { try $0.upsert(values) }
        }
    }

    @discardableResult
    func upsert<Model: StoredConvertible>(_ value: Model) async throws -> UpsertResult<Model> {
        switch style {
        case .async: try await client.upsert(value)
        case .blocking: try client.blocking.upsert(value)
        case .transaction: try await client.write { try $0.upsert(value) }
        }
    }

    func update<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey,
        _ assign: @escaping @Sendable (inout Assignments<Model>) throws -> Void
    ) async throws {
        switch style {
        case .async: try await client.update(type, key: key, assign)
        case .blocking: try client.blocking.update(type, key: key, assign)
        case .transaction: try await client.write { try $0.update(type, key: key, assign) }
        }
    }

    func update<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey],
        _ assign: @escaping @Sendable (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) async throws {
        switch style {
        case .async: try await client.update(type, keys: keys, assign)
        case .blocking: try client.blocking.update(type, keys: keys, assign)
        case .transaction: try await client.write { try $0.update(type, keys: keys, assign) }
        }
    }

    @discardableResult
    func update<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: @escaping @Sendable (inout Assignments<Request.Model>) throws -> Void
    ) async throws -> Int {
        switch style {
        case .async: try await client.update(request, assign)
        case .blocking: try client.blocking.update(request, assign)
        case .transaction: try await client.write { try $0.update(request, assign) }
        }
    }

    @discardableResult
    func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) async throws -> Int {
        switch style {
        case .async: try await client.delete(type, keys: keys)
        case .blocking: try client.blocking.delete(type, keys: keys)
        case .transaction: try await client.write { try $0.delete(type, keys: keys) }
        }
    }

    @discardableResult
    func delete<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) async throws -> Bool {
        switch style {
        case .async: try await client.delete(type, key: key)
        case .blocking: try client.blocking.delete(type, key: key)
        case .transaction: try await client.write { try $0.delete(type, key: key) }
        }
    }

    @discardableResult
    func delete<Model: StoredConvertible>(_ value: Model) async throws -> Bool {
        switch style {
        case .async: try await client.delete(value)
        case .blocking: try client.blocking.delete(value)
        case .transaction: try await client.write { try $0.delete(value) }
        }
    }

    @discardableResult
    func delete<Model: StoredConvertible>(_ values: [Model]) async throws -> Int {
        switch style {
        case .async: try await client.delete(values)
        case .blocking: try client.blocking.delete(values)
        case .transaction: try await client.write { try $0.delete(values) }
        }
    }

    @discardableResult
    func delete<Request: FetchRequestConvertible>(_ request: Request) async throws -> Int {
        switch style {
        case .async: try await client.delete(request)
        case .blocking: try client.blocking.delete(request)
        case .transaction: try await client.write { try $0.delete(request) }
        }
    }

    @discardableResult
    func deleteAll<Model: StoredConvertible>(_ type: Model.Type) async throws -> Int {
        switch style {
        case .async: try await client.deleteAll(type)
        case .blocking: try client.blocking.deleteAll(type)
        case .transaction: try await client.write { try $0.deleteAll(type) }
        }
    }
}
