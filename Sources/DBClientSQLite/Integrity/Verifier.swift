import CSQLiteFiles
public import DBClientCore
public import DBClientSQL
public import Foundation

extension SQLDBClient {
    /// Checks a SQLite file from its first page to its last: the structure of every table and index, that each index
    /// has the entries of the rows and no others, that no page is used twice, that foreign keys refer to rows that
    /// are there and that every text is UTF-8; of the columns that the library made, that each value is one of what the
    /// column was written as; and of models, that every row can be read.
    ///
    /// SQLite keeps no checksums of its pages. A value that was damaged into another one of its type is found only if
    /// an index has it as well.
    ///
    /// Use it after a suspicious crash or before trusting a copy. No program has to let go of the file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - models: The models whose rows are read.
    /// - Throws: `.corrupt`, saying what is damaged; `.io` when there is no such file; `.busy`, and what opening a file
    ///   throws.
    public static func verifySQLite(at url: URL, models: [any Stored.Type] = []) throws {
        guard url.isFileURL, let file = try SQLiteFile.check(url.path) else {
            throw DBClientError(.io, "There is no file at the URL.")
        }
        // SQLite takes it for an empty one.
        if file.size == 1 { throw DBClientError(.corrupt, "The file is not a SQLite database.") }
        for suffix in SQLiteFile.suffixes { try SQLiteFile.check(url.path + suffix) }
        do {
            try SQLiteVerifier(url.path).verify()
        } catch {
            throw SQLiteFile.explained(error, url.path)
        }
        if models.isEmpty { return }
        let client = try SQLDBClient.sqlite(at: url)
        defer { try? client.close() }
        try client.blocking.read { transaction in
            for model in models { try readRows(of: model, in: transaction) }
        }
    }

    /// Makes a value of every row of a model.
    private static func readRows<Model: Stored>(
        of model: Model.Type,
        in transaction: ReadTransaction
    ) throws {
        do {
            try transaction.forEach(Model.all) { _ in true }
        } catch let error as DBClientError
            where error.code == .decoding || error.code == .danglingReference
        {
            throw SQLiteVerifier.damaged(error, Model.schema.entity.name)
        }
    }
}

/// Checks a file by a connection of its own.
private struct SQLiteVerifier {
    private let connection: SQLiteConnection

    init(_ path: String) throws {
        connection = try SQLiteEngine.connection(path, SQLiteConfiguration())
        // What a crash has left is for a client to copy into the file.
        connection.keepLog()
    }

    func verify() throws {
        defer { connection.close() }
        try connection.begin(.read)
        defer { connection.rollback() }
        try connection.checkIntegrity("integrity_check")
        try checkForeignKeys()
        for table in try connection.tableNames() { try readRows(of: table) }
    }

    private func checkForeignKeys() throws {
        try SQLiteStatement(connection.handle, "PRAGMA foreign_key_check").values(on: nil) { row in
            let table = String(decoding: row[0].bytes, as: UTF8.self)
            let parent = String(decoding: row[2].bytes, as: UTF8.self)
            throw DBClientError(
                .corrupt,
                "A row of \(table) refers to one of \(parent) that is not there."
            )
        }
    }

    /// Reads every value of a table: text must be UTF-8, and a value one of what its column was written as, where the
    /// client has made the column.
    private func readRows(of table: String) throws {
        var text = SQLText(connection.dialect)
        text.append("SELECT * FROM ")
        text.append(identifier: table)
        let statement = try SQLiteStatement(connection.handle, text.sql)
        let fields = try writtenFields(of: table, statement.columnNames)
        do {
            try statement.values(on: nil) { row in
                for (column, field) in fields where !field.isWritten(row[column]) {
                    throw DBClientError(
                        .corrupt,
                        "A row of \(table) has a value that is no \(field.form.type?.name ?? "value").",
                        entity: table,
                        field: statement.columnNames[column]
                    )
                }
                return true
            }
        } catch let error as DBClientError where error.code == .decoding {
            throw Self.damaged(error, table)
        }
    }

    private func writtenFields(
        of table: String,
        _ columns: [String]
    ) throws -> [(column: Int, field: WrittenField)] {
        var notes: ColumnNotes?
        let sql = "SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'"
        try connection.each(sql, [table]) { notes = ColumnNotes($0[0].bytes) }
        return columns.enumerated().compactMap { column, name in
            notes?[name].map { (column, $0) }
        }
    }

    static func damaged(_ error: DBClientError, _ table: String) -> DBClientError {
        DBClientError(
            .corrupt,
            "A row of \(table) cannot be read: \(error.description)",
            entity: error.entity,
            field: error.field
        )
    }
}

extension SQLiteConnection {
    /// Runs one of SQLite's own checks.
    ///
    /// - Throws: `.corrupt` with the first thing that it finds.
    func checkIntegrity(_ pragma: String) throws {
        var finding: String?
        try SQLiteStatement(handle, "PRAGMA \(pragma)(1)").values(on: nil) { row in
            finding = String(decoding: row[0].bytes, as: UTF8.self)
            return false
        }
        if let finding, finding != "ok" { throw Self.damaged(finding) }
    }

    static func damaged(_ finding: String) -> DBClientError {
        DBClientError(
            .corrupt,
            "The store's file is damaged.",
            hint: "Restore a backup, or save what can be read with the sqlite3 shell's .recover.",
            engineMessage: finding
        )
    }

    /// Returns the names of the tables that keep rows of their own.
    func tableNames() throws -> [String] {
        var names: [String] = []
        try SQLiteStatement(
            handle,
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
            """
        )
        .values(on: nil) { row in
            names.append(String(decoding: row[0].bytes, as: UTF8.self))
            return true
        }
        return names
    }
}
