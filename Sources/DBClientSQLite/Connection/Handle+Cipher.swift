import CSQLiteFiles
import DBClientCore
import GRDBSQLite

// What is SQLCipher's alone.
extension SQLiteHandle {
    /// Throws where the program has no SQLCipher in the place of SQLite, or one that is too old.
    static func checkCipher() throws {
        guard csqlite_has_cipher() else {
            throw DBClientError(
                .unsupported,
                "This program has no SQLCipher, which encrypts SQLite files.",
                hint: "Add the product DBClientSQLCipher to the dependencies of the program."
            )
        }
        // What the library asks of SQLite came with that version; SQLCipher 4.5 has it.
        guard SQLiteHandle.libraryVersion >= 3_038_000 else {
            throw DBClientError(
                .unsupported,
                "SQLCipher is too old: it is made of SQLite \(String(cString: sqlite3_libversion())).",
                hint: "Link SQLCipher 4.5 or later."
            )
        }
    }

    /// Gives a connection the key of its file, before it has read anything.
    ///
    /// - Returns: How often the key was changed before.
    /// - Throws: `.unsupported` when the connection encrypts nothing.
    func unlock(_ cipher: SQLiteCipher) throws -> Int {
        let generation = try cipher.withPhrase { phrase in
            let code = csqlite_set_key(
                UnsafeMutableRawPointer(pointer),
                phrase.baseAddress,
                Int32(truncatingIfNeeded: phrase.count)
            )
            if code != SQLITE_OK { throw SQLiteError.make(code, self) }
        }
        // SQLite takes any pragma and answers with nothing.
        guard first(of: "PRAGMA cipher_version") != nil else {
            throw DBClientError(
                .unsupported,
                "The connection does not encrypt: it is SQLite's own."
            )
        }
        // What does not fit into memory would be written as it is.
        _ = first(of: "PRAGMA temp_store = MEMORY")
        // To standard error, of each page that does not fit the key.
        _ = first(of: "PRAGMA cipher_log_level = NONE")
        return generation
    }

    /// Writes every page anew under another key.
    ///
    /// SQLCipher does not tell whether it could, and the connection must not be used for anything else: where it could
    /// not, it would write pages under one key into a file that has the other.
    func changeKey(to cipher: SQLiteCipher) throws {
        _ = try cipher.withPhrase { phrase in
            _ = csqlite_change_key(
                UnsafeMutableRawPointer(pointer),
                phrase.baseAddress,
                Int32(truncatingIfNeeded: phrase.count)
            )
        }
    }

    /// Why the first page of a file cannot be read with a key; nil where it can.
    static func lockFailure(of path: String, _ cipher: SQLiteCipher) -> DBClientError? {
        var opened: OpaquePointer?
        defer { sqlite3_close(opened) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            return nil
        }
        let handle = SQLiteHandle(opened, isEncrypted: true)
        guard (try? handle.unlock(cipher)) != nil else { return nil }
        handle.keepLog()
        let code = sqlite3_exec(opened, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
        return code == SQLITE_NOTADB ? handle.lockFailure : nil
    }

    /// Why the first page of an encrypted file cannot be read.
    ///
    /// Another key fits no page. Where the key fits most of them, the first one is damaged, unless the log has pages: of
    /// a change of the key some may have been copied. A large file is not looked at: the answer shall take no longer than
    /// the derivation of a key.
    var lockFailure: DBClientError {
        let wrongKey = DBClientError(
            .wrongKey,
            "The store is encrypted with another key.",
            hint:
                "Another client may have changed it. Damage of the file's first page looks the same where it is the "
                + "only one, or the file is large.",
            engineCode: .number(Int(SQLITE_NOTADB))
        )
        let pageSize = 4_096
        guard let path = sqlite3_db_filename(pointer, "main") else { return wrongKey }
        let file = String(cString: path)
        let size = SQLiteFile.size(file)
        let hasLog = SQLiteFile.size(file + "-wal") > 0
        guard size > pageSize, size <= 64 << 20, !hasLog else { return wrongKey }
        var failures = 0
        count(of: "PRAGMA cipher_integrity_check", into: &failures)
        // The key may be changed while this looks.
        guard failures > 0, failures < (size / pageSize + 1) / 2,
            SQLiteFile.size(file + "-wal") == 0
        else { return wrongKey }
        return DBClientError(
            .corrupt,
            "The store's file is damaged.",
            hint: "Restore a backup.",
            engineCode: .number(Int(SQLITE_NOTADB))
        )
    }

    /// Throws when a page of an encrypted file has other content than was written.
    ///
    /// What is in the log alone is not looked at.
    func checkPages() throws {
        var failures = 0
        count(of: "PRAGMA cipher_integrity_check", into: &failures)
        if failures > 0 {
            throw DBClientError(
                .corrupt,
                "The store's file is damaged: \(failures) of its pages have other content than was written.",
                hint: "Restore a backup."
            )
        }
    }

    private func count(of sql: String, into count: inout Int) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK else { return }
        while sqlite3_step(statement) == SQLITE_ROW { count += 1 }
    }

    /// Returns the first text that a statement answers with.
    private func first(of sql: String) -> String? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return nil }
        return String(cString: text)
    }

    /// Returns what a file begins with; nil where it is shorter.
    ///
    /// By a descriptor of SQLite's: to close another one would release the locks that this process has on the file.
    static func beginning(of path: String, count: Int) -> [UInt8]? {
        var opened: OpaquePointer?
        defer { sqlite3_close(opened) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            return nil
        }
        return SQLiteHandle(opened).readFile(count: count)
    }
}
