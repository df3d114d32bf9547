import ArgumentParser
import DBClientCore
import DBClientPostgreSQL
import Foundation

/// A new schema of the server that `DBCLIENT_POSTGRES_URL` names.
struct ServerSchema {
    /// The server's URL, where there is one.
    static let serverURL = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]

    private let url: String
    private let name = "heroes_\(UUID().uuidString)"

    /// Makes the schema.
    init() async throws {
        guard let url = Self.serverURL else {
            throw ValidationError("postgresql needs a server; DBCLIENT_POSTGRES_URL names it.")
        }
        self.url = url
        try await administer("CREATE SCHEMA \(identifier: name)")
    }

    /// Connects to the server, with this schema for the tables.
    func open() async throws -> SQLDBClient {
        var configuration = PostgreSQLConfiguration()
        configuration.schema = name
        return try await SQLDBClient.postgreSQL(url, configuration: configuration)
    }

    /// Drops the schema and what is in it.
    func drop() async throws {
        try await administer("DROP SCHEMA \(identifier: name) CASCADE")
    }

    private func administer(_ statement: SQL) async throws {
        let administrator = try await SQLDBClient.postgreSQL(url)
        defer { try? administrator.close() }
        try await administrator.execute(statement)
    }
}
