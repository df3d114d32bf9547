import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import Foundation

/// Schemas on the server of `DBCLIENT_POSTGRES_URL`.
enum Server {
    static let url = ProcessInfo.processInfo.environment["DBCLIENT_POSTGRES_URL"]
    static var isThere: Bool { url != nil }

    /// Runs a body with new schemas, and drops them.
    static func withSchemas<Result>(
        _ names: [String],
        _ body: ([String]) async throws -> Result
    ) async throws -> Result {
        let suffix = UUID().uuidString.prefix(8).lowercased()
        let schemas = names.map { "\($0)_\(suffix)" }
        let client = try await SQLDBClient.postgreSQL(url ?? "")
        for schema in schemas { try await client.execute("CREATE SCHEMA \(identifier: schema)") }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(schemas)) } catch { result = .failure(error) }
        for schema in schemas {
            try await client.execute("DROP SCHEMA \(identifier: schema) CASCADE")
        }
        try client.close()
        return try result.get()
    }

    /// Runs statements in a schema.
    static func run(_ statements: [String], in schema: String) async throws {
        var configuration = PostgreSQLConfiguration()
        configuration.schema = schema
        let client = try await SQLDBClient.postgreSQL(url ?? "", configuration: configuration)
        try await client.write { transaction in
            for statement in statements { try transaction.execute("\(raw: statement)") }
        }
        try client.close()
    }
}
