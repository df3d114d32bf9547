import ArgumentParser
import DBClientCore
import DBClientObjectStore
import DBClientPostgreSQL
import DBClientSQLite
import Foundation

/// The engines that two processes can share.
enum EngineKind: String, CaseIterable, ExpressibleByArgument {
    case objectStore = "object-store"
    case sqlite
    case postgreSQL = "postgresql"

    /// Opens the store in a folder, which is made where there is none.
    ///
    /// On a server, that of `DBCLIENT_POSTGRES_URL`, the folder's name is that of a schema.
    func open(in folder: URL) async throws -> any DBClient {
        switch self {
        case .objectStore:
            return try ObjectStoreDBClient(at: folder.appendingPathComponent("heroes"))
        case .sqlite:
            return try SQLDBClient.sqlite(at: folder.appendingPathComponent("heroes"))
        case .postgreSQL:
            var configuration = PostgreSQLConfiguration()
            configuration.schema = folder.lastPathComponent
            return try await SQLDBClient.postgreSQL(server(), configuration: configuration)
        }
    }

    /// Makes what the store is kept in, and has the server tell each process what the other one writes.
    func prepare(_ folder: URL) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard self == .postgreSQL else { return }
        let client = try await SQLDBClient.postgreSQL(server())
        try await client.execute("CREATE SCHEMA \(identifier: folder.lastPathComponent)")
        try client.close()
        if let client = try await open(in: folder) as? SQLDBClient {
            try await client.installPostgreSQLJournal(for: Hero.self)
            try client.close()
        }
    }

    /// Removes the store.
    func remove(_ folder: URL) async throws {
        try FileManager.default.removeItem(at: folder)
        guard self == .postgreSQL else { return }
        let client = try await SQLDBClient.postgreSQL(server())
        try await client.execute("DROP SCHEMA \(identifier: folder.lastPathComponent) CASCADE")
        try client.close()
    }

    private func server() throws -> String {
        guard let url = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"] else {
            throw ValidationError("DBCLIENT_POSTGRES_URL names no server.")
        }
        return url
    }
}
