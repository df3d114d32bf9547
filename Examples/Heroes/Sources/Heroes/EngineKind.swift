import ArgumentParser
import DBClientCore
import DBClientInMemory
import DBClientObjectStore
import DBClientSQLite
import Foundation

/// The engines, and, with `ServerSchema`, the only place of the example that knows them apart.
enum EngineKind: String, CaseIterable, ExpressibleByArgument {
    case inMemory = "in-memory"
    case objectStore = "object-store"
    case sqlite
    case postgresql

    /// Whether the engine keeps its data in a file.
    var hasFile: Bool { self == .objectStore || self == .sqlite }

    /// Whether the engine can be shown: a server has to be there.
    var isAvailable: Bool { self != .postgresql || ServerSchema.serverURL != nil }

    /// Opens a new store, in a file at a URL where the engine keeps one, on a server in a new schema.
    func open(at url: URL) async throws -> NewStore {
        switch self {
        case .inMemory: return NewStore(client: InMemoryDBClient())
        case .objectStore: return NewStore(client: try ObjectStoreDBClient(at: url))
        case .sqlite: return NewStore(client: try SQLDBClient.sqlite(at: url))
        case .postgresql:
            let schema = try await ServerSchema()
            return NewStore(client: try await schema.open(), schema: schema)
        }
    }
}
