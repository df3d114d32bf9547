import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation

/// The library's relational client on PostgreSQL.
final class PostgreSQLClient: ClientContestant {
    let client: any DBClient

    init(folder: URL) throws {
        client = try PostgreSQLSchema.open(in: folder)
    }
}

/// Where a contestant's tables are: a schema for each folder, named in a file there.
enum PostgreSQLSchema {
    /// The server, by `DBCLIENT_POSTGRES_URL`.
    static var url: String { ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"] ?? "" }

    /// Returns the schema of a folder.
    static func name(in folder: URL) throws -> String {
        let file = folder.appendingPathComponent("schema")
        if let name = try? String(contentsOf: file, encoding: .utf8) { return name }
        let name = "benchmark_\(UUID().uuidString)"
        try name.write(to: file, atomically: true, encoding: .utf8)
        return name
    }

    /// Opens a client of the library on the schema of a folder.
    static func open(in folder: URL) throws -> any DBClient {
        let schema = try name(in: folder)
        try administer("CREATE SCHEMA IF NOT EXISTS \(identifier: schema)")
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        return try SQLDBClient.postgreSQLBlocking(url, configuration: configuration)
    }

    /// Drops the schema of a folder, with all that is in it.
    static func drop(in folder: URL) throws {
        try administer("DROP SCHEMA IF EXISTS \(identifier: try name(in: folder)) CASCADE")
    }

    private static func administer(_ statement: SQL) throws {
        let administrator = try SQLDBClient.postgreSQLBlocking(url)
        defer { try? administrator.close() }
        try administrator.blocking.execute(statement)
    }
}
