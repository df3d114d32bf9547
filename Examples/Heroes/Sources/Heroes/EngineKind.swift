import ArgumentParser
import DBClientCore
import DBClientInMemory
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQLite
import Foundation

/// The engines, and the only place of the example that knows them apart.
enum EngineKind: String, CaseIterable, ExpressibleByArgument {
    case inMemory = "in-memory"
    case objectStore = "object-store"
    case sqlite
    case postgresql

    /// Whether the engine keeps its data in a file.
    var hasFile: Bool { self == .objectStore || self == .sqlite }

    /// Whether the engine can be shown: a server has to be there.
    var isAvailable: Bool { self != .postgresql || Self.serverURL != nil }

    private static let serverURL = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]

    /// Opens a new store, in a file at a URL where the engine keeps one.
    func open(at url: URL) async throws -> any DBClient {
        switch self {
        case .inMemory: InMemoryDBClient()
        case .objectStore: try ObjectStoreDBClient(at: url)
        case .sqlite: try SQLDBClient.sqlite(at: url)
        case .postgresql: try await Self.openServer()
        }
    }

    /// Opens a new schema of the server.
    private static func openServer() async throws -> any DBClient {
        guard let serverURL else {
            throw ValidationError("postgresql needs a server; DBCLIENT_POSTGRES_URL names it.")
        }
        let schema = "heroes_\(UUID().uuidString)"
        let administrator = try await SQLDBClient.postgreSQL(serverURL)
        try await administrator.execute("CREATE SCHEMA \(identifier: schema)")
        try administrator.close()
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        return try await SQLDBClient.postgreSQL(serverURL, configuration: configuration)
    }
}
