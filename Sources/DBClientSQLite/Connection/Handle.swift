import GRDBSQLite

/// The handle of a connection, with SQLite's calls on it.
struct SQLiteHandle {
    /// The version of the library that runs: 3039000 is 3.39.0.
    static var libraryVersion: Int32 { sqlite3_libversion_number() }

    let pointer: OpaquePointer
    /// Whether the connection was given a key.
    let isEncrypted: Bool

    init(_ pointer: OpaquePointer, isEncrypted: Bool = false) {
        self.pointer = pointer
        self.isEncrypted = isEncrypted
    }

    /// Opens an existing file; nil where that fails.
    ///
    /// Its first read opens the log as well.
    init?(opening path: String, _ cipher: SQLiteCipher? = nil) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK,
            Self.unlock(opened, cipher),
            sqlite3_exec(opened, "PRAGMA user_version", nil, nil, nil) == SQLITE_OK, let opened
        else {
            sqlite3_close(opened)
            return nil
        }
        pointer = opened
        isEncrypted = cipher != nil
    }

    private static func unlock(_ opened: OpaquePointer?, _ cipher: SQLiteCipher?) -> Bool {
        guard let cipher, let opened else { return true }
        return (try? SQLiteHandle(opened).unlock(cipher)) != nil
    }

    func close() { sqlite3_close(pointer) }

    /// How long a statement waits for other connections, in milliseconds.
    func setBusyTimeout(_ milliseconds: Int32) {
        sqlite3_busy_timeout(pointer, milliseconds)
    }

    var isReadOnly: Bool { sqlite3_db_readonly(pointer, "main") != 0 }

    // MARK: Transactions

    /// Whether the connection is in autocommit mode, outside of any transaction.
    var isOutsideTransaction: Bool { sqlite3_get_autocommit(pointer) != 0 }

    /// Takes away what calls GRDB with each commit and rollback.
    func removeTransactionHooks() {
        sqlite3_commit_hook(pointer, nil, nil)
        sqlite3_rollback_hook(pointer, nil, nil)
    }

    /// Removes the authorizer, which is called for every statement that is prepared.
    func removeAuthorizer() { sqlite3_set_authorizer(pointer, nil, nil) }

    /// Whether a foreign key is broken whose check waits for the commit.
    var hasBrokenForeignKeys: Bool {
        var count: Int32 = 0
        var highest: Int32 = 0
        let code = sqlite3_db_status(pointer, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        return code == SQLITE_OK && count != 0
    }

    // MARK: Rows

    /// How many rows the last statement changed.
    @inline(__always)
    var changeCount: Int { Int(sqlite3_changes64(pointer)) }

    /// The rowid of the row that was inserted last.
    @inline(__always)
    var lastRowID: Int64 { sqlite3_last_insert_rowid(pointer) }

    // MARK: Schema

    /// Whether a column's collation compares text by its bytes.
    func comparesBytes(_ column: String, of table: String) -> Bool {
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(
            pointer,
            nil,
            table,
            column,
            nil,
            &collation,
            nil,
            nil,
            nil
        )
        // The columns of a view have no collation of their own.
        guard code == SQLITE_OK, let collation else { return true }
        return sqlite3_stricmp(collation, "BINARY") == 0
    }

    /// Whether a column's declaration has SQLite make keys that were never used before.
    func makesKeys(_ column: String, of table: String) -> Bool {
        var isGenerated: Int32 = 0
        let code = sqlite3_table_column_metadata(
            pointer,
            nil,
            table,
            column,
            nil,
            nil,
            nil,
            nil,
            &isGenerated
        )
        return code == SQLITE_OK && isGenerated != 0
    }

    /// Whether SQLite takes two names for the same.
    static func areSameName(_ left: String, _ right: String) -> Bool {
        sqlite3_stricmp(left, right) == 0
    }
}
