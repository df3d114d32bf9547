import DBClientCore

extension Calls {
    func insertIfAbsent<Model: StoredConvertible>(_ values: [Model]) async throws -> [Model] {
        switch style {
        case .async: try await client.insertIfAbsent(values)
        case .blocking: try client.blocking.insertIfAbsent(values)
        case .transaction: try await client.write { try $0.insertIfAbsent(values) }
        }
    }

    func insertIfAbsent<Model: StoredConvertible>(_ value: Model) async throws -> Model? {
        switch style {
        case .async: try await client.insertIfAbsent(value)
        case .blocking: try client.blocking.insertIfAbsent(value)
        case .transaction: try await client.write { try $0.insertIfAbsent(value) }
        }
    }

    func upsert(
        _ values: [Account],
        by field: any PartialKeyPath<Account> & Sendable
    ) async throws -> UpsertOutcome<Account> {
        switch style {
        case .async: try await client.upsert(values, by: field)
        case .blocking: try client.blocking.upsert(values, by: field)
        case .transaction: try await client.write { try $0.upsert(values, by: field) }
        }
    }

    func upsert(
        _ value: Account,
        by field: any PartialKeyPath<Account> & Sendable
    ) async throws -> UpsertResult<Account> {
        switch style {
        case .async: try await client.upsert(value, by: field)
        case .blocking: try client.blocking.upsert(value, by: field)
        case .transaction: try await client.write { try $0.upsert(value, by: field) }
        }
    }

    func upsert(
        _ values: [Account],
        by field: any PartialKeyPath<Account> & Sendable,
        _ other: any PartialKeyPath<Account> & Sendable
    ) async throws -> UpsertOutcome<Account> {
        switch style {
        case .async: try await client.upsert(values, by: field, other)
        case .blocking: try client.blocking.upsert(values, by: field, other)
        case .transaction: try await client.write { try $0.upsert(values, by: field, other) }
        }
    }

    func upsert(
        _ value: Account,
        by field: any PartialKeyPath<Account> & Sendable,
        _ other: any PartialKeyPath<Account> & Sendable
    ) async throws -> UpsertResult<Account> {
        switch style {
        case .async: try await client.upsert(value, by: field, other)
        case .blocking: try client.blocking.upsert(value, by: field, other)
        case .transaction: try await client.write { try $0.upsert(value, by: field, other) }
        }
    }

    func updateReturning<Request: FetchRequestConvertible>(
        _ request: Request,
        _ assign: @escaping @Sendable (inout Assignments<Request.Model>) throws -> Void
    ) async throws -> [Request.Model] {
        switch style {
        case .async: try await client.updateReturning(request, assign)
        case .blocking: try client.blocking.updateReturning(request, assign)
        case .transaction: try await client.write { try $0.updateReturning(request, assign) }
        }
    }

    func deleteReturning<Request: FetchRequestConvertible>(
        _ request: Request
    ) async throws -> [Request.Model] {
        switch style {
        case .async: try await client.deleteReturning(request)
        case .blocking: try client.blocking.deleteReturning(request)
        case .transaction: try await client.write { try $0.deleteReturning(request) }
        }
    }

    func insert<Model: StoredConvertible, Request: FetchRequestConvertible>(
        _ type: Model.Type,
        from request: Request,
        _ assign:
            @escaping @Sendable (
                inout InsertedFields<Model, Request.Model>, Fields<Request.Model>
            ) throws -> Void
    ) async throws -> Int {
        switch style {
        case .async: try await client.insert(type, from: request, assign)
        case .blocking: try client.blocking.insert(type, from: request, assign)
        case .transaction:
            try await client.write { try $0.insert(type, from: request, assign) }
        }
    }
}
