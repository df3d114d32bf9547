import DBClientCore
import DBClientSQL

/// Checks a file by a connection of its own.
struct SQLiteVerifier {
    private let connection: SQLiteConnection

    init(_ path: String, _ cipher: SQLiteCipher?, trustsSchema: Bool) throws {
        let configuration = SQLiteConfiguration(trustsSchema: trustsSchema)
        connection = try SQLiteEngine.connection(path, configuration, cipher)
        // What a crash has left is for a client to copy into the file.
        connection.handle.keepLog()
    }

    func verify() throws {
        defer { connection.close() }
        try connection.begin(.read)
        defer { connection.rollback() }
        if connection.handle.isEncrypted { try connection.handle.checkPages() }
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
        let fields = try writtenFields(of: table, statement.names)
        do {
            try statement.values(on: nil) { row in
                for (column, field) in fields where !field.isWritten(row[column]) {
                    throw DBClientError(
                        .corrupt,
                        "A row of \(table) has a value that is no \(field.form.type?.name ?? "value").",
                        entity: table,
                        field: statement.names[column]
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
