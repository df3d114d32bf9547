import DBClientCore
import DBClientSQL
import DBClientSQLite
import Foundation

/// Makes SQLite files as another program would.
enum SQLiteFile {
    /// Runs statements on a file, without enforcing its foreign keys.
    static func run(_ statements: [String], at url: URL) async throws {
        var configuration = SQLiteConfiguration()
        configuration.obeysForeignKeys = false
        let client = try SQLDBClient.sqlite(at: url, configuration: configuration)
        try await client.write { transaction in
            for statement in statements { try transaction.execute("\(raw: statement)") }
        }
        try client.close()
    }

    /// Returns the rows of a statement.
    static func rows(_ sql: String, at url: URL) async throws -> [SQLRow] {
        let client = try SQLDBClient.sqlite(at: url)
        let rows = try await client.rows("\(raw: sql)")
        try client.close()
        return rows
    }
}
