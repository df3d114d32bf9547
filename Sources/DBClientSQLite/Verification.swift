import CSQLiteFiles
public import DBClientCore
public import DBClientSQL
public import Foundation

extension SQLDBClient {
    /// Checks a SQLite file from its first page to its last: the structure of every table and index, that each index
    /// has the entries of the rows and no others, that no page is used twice, that foreign keys refer to rows that
    /// are there and that every text is UTF-8; and of models, that every row can be read.
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

    /// Reads every value of a table, whose texts must be UTF-8.
    private func readRows(of table: String) throws {
        var text = SQLText(connection.dialect)
        text.append("SELECT * FROM ")
        text.append(identifier: table)
        let statement = try SQLiteStatement(connection.handle, text.sql)
        do {
            try statement.values(on: nil) { _ in true }
        } catch let error as DBClientError where error.code == .decoding {
            throw Self.damaged(error, table)
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
    /// Checks the structure of a file whose log a process left behind that did not close it, such as one that was
    /// killed or lost its power, where that takes a moment.
    ///
    /// - Throws: `.corrupt`.
    func checkWhatWasLeftBehind(_ path: String) throws {
        guard SQLiteLogMarks(handle)?.isLeftBehind == true,
            SQLiteFile.size(path) <= Self.checkedSize
        else { return }
        try checkIntegrity("quick_check")
    }

    /// SQLite checks about 200 MB in a second.
    private static var checkedSize: Int { 16 << 20 }

    /// Runs one of SQLite's own checks.
    ///
    /// - Throws: `.corrupt` with the first thing that it finds.
    func checkIntegrity(_ pragma: String) throws {
        var finding: String?
        try SQLiteStatement(handle, "PRAGMA \(pragma)(1)").values(on: nil) { row in
            finding = String(decoding: row[0].bytes, as: UTF8.self)
            return false
        }
        guard let finding, finding != "ok" else { return }
        throw DBClientError(
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
