import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation

/// The library's relational client on PostgreSQL.
final class PostgreSQLClient: ClientContestant {
    let client: any DBClient

    init(folder: URL) throws {
        let schema = try PostgreSQLSchema.name(in: folder)
        let administrator = try SQLDBClient.postgreSQLBlocking(PostgreSQLSchema.url)
        try administrator.blocking.execute("CREATE SCHEMA IF NOT EXISTS \(identifier: schema)")
        try administrator.close()
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        client = try SQLDBClient.postgreSQLBlocking(
            PostgreSQLSchema.url,
            configuration: configuration
        )
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
}
