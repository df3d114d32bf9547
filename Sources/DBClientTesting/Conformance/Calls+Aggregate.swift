import DBClientCore

extension Calls {
    func min<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> Value? {
        switch style {
        case .async: try await client.min(field, of: request)
        case .blocking: try client.blocking.min(field, of: request)
        case .transaction: try await client.read { try $0.min(field, of: request) }
        }
    }

    func min<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) async throws -> Value? {
        switch style {
        case .async: try await client.min(field, of: request)
        case .blocking: try client.blocking.min(field, of: request)
        case .transaction: try await client.read { try $0.min(field, of: request) }
        }
    }

    func max<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> Value? {
        switch style {
        case .async: try await client.max(field, of: request)
        case .blocking: try client.blocking.max(field, of: request)
        case .transaction: try await client.read { try $0.max(field, of: request) }
        }
    }

    func max<Request: FetchRequestConvertible, Value: StorableValue & Comparable>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) async throws -> Value? {
        switch style {
        case .async: try await client.max(field, of: request)
        case .blocking: try client.blocking.max(field, of: request)
        case .transaction: try await client.read { try $0.max(field, of: request) }
        }
    }

    func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> Value {
        switch style {
        case .async: try await client.sum(field, of: request)
        case .blocking: try client.blocking.sum(field, of: request)
        case .transaction: try await client.read { try $0.sum(field, of: request) }
        }
    }

    func sum<Request: FetchRequestConvertible, Value: StorableValue & Numeric>(
        _ field: any KeyPath<Request.Model.Storage, Value?> & Sendable,
        of request: Request
    ) async throws -> Value {
        switch style {
        case .async: try await client.sum(field, of: request)
        case .blocking: try client.blocking.sum(field, of: request)
        case .transaction: try await client.read { try $0.sum(field, of: request) }
        }
    }

    func average<Request: FetchRequestConvertible>(
        _ field: any PartialKeyPath<Request.Model.Storage> & Sendable,
        of request: Request
    ) async throws -> Double? {
        switch style {
        case .async: try await client.average(field, of: request)
        case .blocking: try client.blocking.average(field, of: request)
        case .transaction: try await client.read { try $0.average(field, of: request) }
        }
    }

    func distinct<Request: FetchRequestConvertible, Value: StorableValue>(
        _ field: any KeyPath<Request.Model.Storage, Value> & Sendable,
        of request: Request
    ) async throws -> [Value] {
        switch style {
        case .async: try await client.distinct(field, of: request)
        case .blocking: try client.blocking.distinct(field, of: request)
        case .transaction: try await client.read { try $0.distinct(field, of: request) }
        }
    }
}
