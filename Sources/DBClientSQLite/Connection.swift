import DBClientCore
import DBClientSQL
import GRDB
import GRDBSQLite

/// One SQLite connection that GRDB opened and set up. Its handle is used directly: nothing else has
/// GRDB's object, so one thread at a time is all that there is to keep.
final class SQLiteConnection: SQLConnection {
    let handle: OpaquePointer
    let dialect: any SQLDialect = SQLiteDialect()
    private let owner: any DatabaseWriter
    private var isInTransaction = false
    private var depth = 0

    private lazy var beginningRead = Verb("BEGIN DEFERRED")
    private lazy var beginningWrite = Verb("BEGIN IMMEDIATE")
    private lazy var committing = Verb("COMMIT")
    private lazy var rollingBack = Verb("ROLLBACK")
    private var describing: SQLiteStatement?

    /// Takes over what GRDB opened.
    init(_ owner: any DatabaseWriter) throws {
        guard let handle = try owner.unsafeReentrantWrite({ $0.sqliteConnection }) else {
            throw DBClientError(.closed, "The connection was closed.")
        }
        self.owner = owner
        self.handle = handle
        // GRDB's own bookkeeping of transactions would be told of what it does not do.
        sqlite3_commit_hook(handle, nil, nil)
        sqlite3_rollback_hook(handle, nil, nil)
        SQLiteDefense.apply(to: handle)
    }

    /// Closes the connection. Statements that are still referred to become useless.
    func close() {
        for verb in [beginningRead, beginningWrite, committing, rollingBack] { verb.finalize() }
        describing = nil
        try? owner.close()
    }

    func prepare(_ sql: String) throws -> any SQLStatement {
        try SQLiteStatement(handle, sql)
    }

    func begin(_ kind: SQLTransactionKind) throws {
        try (kind == .read ? beginningRead : beginningWrite).run(handle)
        isInTransaction = true
    }

    func commit() throws {
        try committing.run(handle)
        isInTransaction = false
        depth = 0
    }

    func rollback() {
        if sqlite3_get_autocommit(handle) == 0 { try? rollingBack.run(handle) }
        isInTransaction = false
        depth = 0
    }

    var hasLostTransaction: Bool { isInTransaction && sqlite3_get_autocommit(handle) != 0 }

    func beginSavepoint() throws {
        try savepoints(at: depth).begin.run(handle)
        depth += 1
    }

    func releaseSavepoint() throws {
        try savepoints(at: depth - 1).release.run(handle)
        depth -= 1
    }

    func rollbackSavepoint() throws {
        try savepoints(at: depth - 1).rollback.run(handle)
        try savepoints(at: depth - 1).release.run(handle)
        depth -= 1
    }
}
