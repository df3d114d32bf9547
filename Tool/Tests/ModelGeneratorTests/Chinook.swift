import DBClientCore
import DBClientSQL
import Foundation
import Testing

@testable import ModelGenerator

/// The database Chinook, where it is there: in the folder of `DBCLIENT_CHINOOK`, or beside the project.
enum Chinook {
    /// The types of the columns.
    enum Form: String, CaseIterable {
        /// Those that Chinook has.
        case original
        /// Others for those of `misfits`, which the library takes over today.
        case fitting
    }

    /// The columns whose types the library does not take over, as Chinook has them.
    static let misfits: [String: Set<String>] = [:]

    private static let file: URL = {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        let folder =
            ProcessInfo.processInfo.environment["DBCLIENT_CHINOOK"].map(URL.init(fileURLWithPath:))
            ?? root.appendingPathComponent("../shared/data/chinook")
        return folder.appendingPathComponent("Chinook_Sqlite.sqlite")
    }()

    static var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// Copies the SQLite file, and makes another one without rows.
    static func sqlite(
        _ form: Form,
        in folder: TemporaryFolder
    ) async throws -> (full: URL, empty: URL) {
        let full = folder.file("chinook.sqlite")
        let empty = folder.file("empty.sqlite")
        try Data(contentsOf: file).write(to: full)
        if form == .fitting { try await declareDatesAsText(at: full) }
        try Data(contentsOf: full).write(to: empty)
        let tables = try await catalog(full).tables.map { "DELETE FROM \"\($0.name)\"" }
        try await SQLiteFile.run(tables, at: empty)
        return (full, empty)
    }

    private static func catalog(_ url: URL) async throws -> DatabaseCatalog {
        try await ModelSource.sqlite(url).catalog()
    }

    /// Replaces tables by ones whose dates are declared as what they are.
    private static func declareDatesAsText(at url: URL) async throws {
        var statements: [String] = []
        for table in ["Employee", "Invoice"] {
            let found = try await SQLiteFile.rows(
                "SELECT type, sql FROM sqlite_schema WHERE tbl_name = '\(table)' AND sql IS NOT NULL ORDER BY type DESC",
                at: url
            )
            for row in found {
                let sql = try row.value("sql", as: String.self)
                if try row.value("type", as: String.self) == "table" {
                    let create = sql.replacingOccurrences(of: "DATETIME", with: "TEXT")
                        .replacingOccurrences(
                            of: "CREATE TABLE [\(table)]",
                            with: "CREATE TABLE replacement"
                        )
                    statements += [
                        create, "INSERT INTO replacement SELECT * FROM \"\(table)\"",
                        "DROP TABLE \"\(table)\"", "ALTER TABLE replacement RENAME TO \"\(table)\"",
                    ]
                } else {
                    statements.append(sql)
                }
            }
        }
        try await SQLiteFile.run(statements, at: url)
    }

    /// Makes the PostgreSQL form in a schema, with rows and in another one without.
    static func postgreSQL(_ form: Form, full: String, empty: String) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let copy = try file(in: folder)
        let tables = try await declarations(catalog(copy), form)
        try await Server.run(tables, in: empty)
        try await Server.run(tables, in: full)
        for name in order {
            var lines: [String] = []
            for row in try await SQLiteFile.rows(
                "SELECT * FROM \"\(name)\" ORDER BY 1, 2",
                at: copy
            ) {
                let values = row.values.map { value in
                    switch value {
                    case .null, .data: "NULL"
                    case .integer(let number): String(number)
                    case .real(let number): String(number)
                    case .text(let text): "'\(text.replacingOccurrences(of: "'", with: "''"))'"
                    }
                }
                lines.append("(\(values.joined(separator: ", ")))")
            }
            var statements: [String] = []
            for start in stride(from: 0, to: lines.count, by: 500) {
                let rows = lines[start..<min(start + 500, lines.count)].joined(separator: ", ")
                statements.append("INSERT INTO \(snake(name)) VALUES \(rows)")
            }
            try await Server.run(["SET LOCAL TIME ZONE 'UTC'"] + statements, in: full)
        }
    }

    private static func file(in folder: TemporaryFolder) throws -> URL {
        let copy = folder.file("original.sqlite")
        try Data(contentsOf: file).write(to: copy)
        return copy
    }

    /// In the order of the foreign keys.
    private static let order = [
        "Artist", "Album", "Genre", "MediaType", "Track", "Playlist", "PlaylistTrack", "Employee",
        "Customer", "Invoice", "InvoiceLine",
    ]

    private static func snake(_ name: String) -> String {
        SwiftIdentifier.words(of: name).joined(separator: "_")
    }

    /// The tables in the words that the PostgreSQL form has for those of the SQLite form.
    private static func declarations(_ catalog: DatabaseCatalog, _ form: Form) -> [String] {
        let types =
            form == .original
            ? ["DATETIME": "TIMESTAMP", "NUMERIC(10,2)": "NUMERIC(10,2)"]
            : ["DATETIME": "TIMESTAMPTZ", "NUMERIC(10,2)": "NUMERIC"]
        return order.compactMap { name in catalog.tables.first { $0.name == name } }.flatMap {
            table in
            let columns = table.columns.map { column in
                let type =
                    types[column.declaredType]
                    ?? column.declaredType.replacingOccurrences(of: "NVARCHAR", with: "VARCHAR")
                    .replacingOccurrences(of: "INTEGER", with: "INT")
                return "\(snake(column.name)) \(type)\(column.isRequired ? " NOT NULL" : "")"
            }
            let key = "PRIMARY KEY (\(table.primaryKey.map(snake).joined(separator: ", ")))"
            let keys = table.foreignKeys.map { key in
                "FOREIGN KEY (\(snake(key.columns[0]))) REFERENCES \(snake(key.table ?? ""))"
            }
            let indexes = table.foreignKeys.map { key in
                "CREATE INDEX ON \(snake(table.name)) (\(snake(key.columns[0])))"
            }
            let parts = (columns + [key] + keys).joined(separator: ", ")
            return ["CREATE TABLE \(snake(table.name)) (\(parts))"] + indexes
        }
    }
}
