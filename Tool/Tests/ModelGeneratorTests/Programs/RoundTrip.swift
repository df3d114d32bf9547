import DBClientCore
import DBClientPostgreSQL
import DBClientSQL
import DBClientSQLite
import Foundation

// Part of the programs that the tests make of generated models. It is compiled with them, not with the tests.

/// A database that a program is given on its command line.
struct Store {
    let client: SQLDBClient
    let isSQLite: Bool

    /// Opens the path of a SQLite file, or a schema of a server: `postgres://…#schema`.
    static func open(_ location: String) async throws -> Store {
        guard location.hasPrefix("postgres") else {
            let url = URL(fileURLWithPath: location)
            return Store(client: try SQLDBClient.sqlite(at: url), isSQLite: true)
        }
        let parts = location.split(separator: "#")
        var configuration = PostgreSQLConfiguration()
        configuration.schema = String(parts[1])
        let client = try await SQLDBClient.postgreSQL(
            String(parts[0]),
            configuration: configuration
        )
        return Store(client: client, isSQLite: false)
    }

    /// The rows of a table as the database writes them.
    func rows(of table: String) async throws -> [String] {
        if isSQLite {
            let names = try await client.rows("SELECT name FROM pragma_table_info(\(table))")
            let columns = try names.map { row in
                let name = try row.value("name", as: String.self)
                return "quote(\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\")"
            }
            let list = columns.joined(separator: " || ',' || ")
            let rows = try await client.rows(
                "SELECT \(raw: list) AS line FROM \(identifier: table)"
            )
            return try rows.map { try $0.value("line", as: String.self) }.sorted()
        }
        let rows = try await client.rows(
            "SELECT t::text AS line FROM \(identifier: table) AS t"
        )
        return try rows.map { try $0.value("line", as: String.self) }.sorted()
    }

    /// What the database says of its tables, the library's own left aside.
    func schema() async throws -> [String] {
        let sql: SQL =
            isSQLite
            ? """
            SELECT type || name || coalesce(sql, '') AS line FROM sqlite_schema
            WHERE name NOT LIKE 'dbclient%' AND tbl_name NOT LIKE 'dbclient%'
            """
            : """
            SELECT c.relname::text || ' ' || coalesce(a.attname::text || ' '
                || pg_catalog.format_type(a.atttypid, a.atttypmod) || a.attnotnull::text, '') AS line
            FROM pg_catalog.pg_class c
            LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
            WHERE c.relnamespace = pg_catalog.current_schema()::regnamespace
                AND c.relkind IN ('r', 'i') AND c.relname NOT LIKE 'dbclient%'
            """
        return try await client.rows(sql).map { try $0.value("line", as: String.self) }.sorted()
    }
}

/// Reads each row of a table as a model, writes it back, and inserts it into an empty copy of the table: both tables
/// then have the very rows that there were.
func roundTrip<Model: Stored & Hashable>(
    _ type: Model.Type,
    in store: Store,
    to copy: Store
) async throws {
    let table = Model.schema.entity.name
    let before = try await store.rows(of: table)
    let values: [Model]
    do {
        values = try await store.client.fetch(Model.all)
        try await store.client.update(values)
        _ = try await copy.client.insert(values)
    } catch let error as DBClientError where error.code == .schemaMismatch {
        // The table itself, or one that it refers to.
        print("misfit \(error.entity ?? table): \(error.description)")
        print("skipped \(table)")
        return
    }
    let after = try await store.rows(of: table)
    let copied = try await copy.rows(of: table)
    if values.count != before.count {
        print("wrong \(table): \(values.count) values of \(before.count) rows")
    }
    for (what, rows) in [("updated", after), ("inserted", copied)] where rows != before {
        let (old, new) = zip(before, rows).first { $0 != $1 } ?? ("", "")
        print(
            "wrong \(table): \(what) as \(new), not \(old); \(rows.count) rows of \(before.count)"
        )
    }
    print("rows \(table) \(values.count)")
}
