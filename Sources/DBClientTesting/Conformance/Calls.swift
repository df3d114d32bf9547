import DBClientCore

/// A client called in one style: directly, through its blocking view, or in a transaction of one call.
///
/// Each style has the same calls with the same meaning.
struct Calls: Sendable {
    let client: any DBClient
    let style: CallStyle
}

extension Calls {
    func fetch<Request: FetchRequestConvertible>(_ request: Request) async throws -> [Request.Model]
    {
        switch style {
        case .async: try await client.fetch(request)
        case .blocking: try client.blocking.fetch(request)
        case .transaction: try await client.read { try $0.fetch(request) }
        }
    }

    func fetchOne<Request: FetchRequestConvertible>(
        _ request: Request
    ) async throws -> Request.Model? {
        switch style {
        case .async: try await client.fetchOne(request)
        case .blocking: try client.blocking.fetchOne(request)
        case .transaction: try await client.read { try $0.fetchOne(request) }
        }
    }

    func count<Request: FetchRequestConvertible>(_ request: Request) async throws -> Int {
        switch style {
        case .async: try await client.count(request)
        case .blocking: try client.blocking.count(request)
        case .transaction: try await client.read { try $0.count(request) }
        }
    }

    func exists<Request: FetchRequestConvertible>(_ request: Request) async throws -> Bool {
        switch style {
        case .async: try await client.exists(request)
        case .blocking: try client.blocking.exists(request)
        case .transaction: try await client.read { try $0.exists(request) }
        }
    }

    func exists<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) async throws -> Bool {
        switch style {
        case .async: try await client.exists(type, key: key)
        case .blocking: try client.blocking.exists(type, key: key)
        case .transaction: try await client.read { try $0.exists(type, key: key) }
        }
    }

    func find<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) async throws -> Model? {
        switch style {
        case .async: try await client.find(type, key: key)
        case .blocking: try client.blocking.find(type, key: key)
        case .transaction: try await client.read { try $0.find(type, key: key) }
        }
    }

    func find<Model: StoredConvertible>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) async throws -> [Model] {
        switch style {
        case .async: try await client.find(type, keys: keys)
        case .blocking: try client.blocking.find(type, keys: keys)
        case .transaction: try await client.read { try $0.find(type, keys: keys) }
        }
    }

    func findAll<Model: StoredConvertible>(_ type: Model.Type) async throws -> [Model] {
        switch style {
        case .async: try await client.findAll(type)
        case .blocking: try client.blocking.findAll(type)
        case .transaction: try await client.read { try $0.findAll(type) }
        }
    }
}
