import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import DBClientSQLite
public import Foundation

/// A database that models are made of.
public enum ModelSource: Hashable, Sendable {
    /// A SQLite file, and whether its tables, triggers and views may call functions that have effects.
    case sqlite(URL, trustsSchema: Bool = false)
    /// A PostgreSQL database by its connection string, and the schema; nil for the first of the `search_path`.
    case postgreSQL(String, schema: String?)

    /// Returns what the database says of its tables.
    func catalog() async throws -> DatabaseCatalog {
        let client = try await client()
        do {
            let isSQLite = if case .sqlite = self { true } else { false }
            let catalog = try await client.read { transaction in
                isSQLite
                    ? try SQLiteCatalogReader(transaction: transaction).catalog()
                    : try PostgreSQLCatalogReader(transaction: transaction).catalog()
            }
            try client.close()
            return catalog
        } catch {
            // The error that matters is the one before.
            try? client.close()
            throw error
        }
    }

    private func client() async throws -> SQLDBClient {
        switch self {
        case .sqlite(let url, let trustsSchema):
            // To open a file that is missing would create it.
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw DBClientError(
                    .notFound,
                    "The SQLite file must exist; there is none at \(url.path)."
                )
            }
            var configuration = SQLiteConfiguration()
            configuration.obeysForeignKeys = false
            configuration.trustsSchema = trustsSchema
            return try SQLDBClient.sqlite(at: url, configuration: configuration)
        case .postgreSQL(let connectionString, let schema):
            var configuration = PostgreSQLConfiguration()
            configuration.schema = schema
            configuration.maximumConnections = 1
            return try await SQLDBClient.postgreSQL(connectionString, configuration: configuration)
        }
    }
}
