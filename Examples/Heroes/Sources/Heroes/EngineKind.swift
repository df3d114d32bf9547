import ArgumentParser
import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite
import DBClientTesting
import Foundation

/// The engines, and the only place of the example that knows them apart.
enum EngineKind: String, CaseIterable, ExpressibleByArgument {
    case inMemory = "in-memory"
    case objectStore = "object-store"
    case sqlite

    /// Whether the engine keeps its data in a file.
    var hasFile: Bool { self != .inMemory }

    /// Opens a new store, in a file at a URL where the engine keeps one.
    func open(at url: URL) throws -> any DBClient {
        switch self {
        case .inMemory: InMemoryDBClient()
        case .objectStore: try ObjectStoreDBClient(at: url)
        case .sqlite: try SQLDBClient.sqlite(at: url)
        }
    }
}
