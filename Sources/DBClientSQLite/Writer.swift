import DBClientCore
import DBClientSQL
import Foundation
import GRDBSQLite

/// The one writer of a store, as the write queue uses it: by one thread at a time.
final class SQLiteWriter: GroupCommitter, @unchecked Sendable {
    let transaction: SQLTransaction
    private let connection: SQLiteConnection
    private let busyTimeout: Duration
    private let walPath: String?
    /// The size of the write-ahead log at which the next truncation is tried.
    private var truncationSize: Int
    /// A reader that is held lets the write-ahead log grow; past this size a commit tries to empty it.
    private let walLimit: Int
    /// Taken while a transaction of a store in memory lasts, whose one connection also reads.
    private let turn: NSLock?
    private var isClosed = false
    /// Whether the commit was tried.
    private var isCommitting = false
    /// Whether what the transaction failed for may be that another program had changed the tables.
    private var mayRepeat = false
    /// Tells commits of others apart; none for a store in memory, where there are no others.
    var watch: SQLiteCommitWatch?

    /// How many milliseconds readers are waited for once the log is four times as large: long enough for those
    /// that overlap to come to their ends, while those that begin need the log no more.
    private static let patience: Int32 = 250

    init(
        _ connection: SQLiteConnection,
        _ version: SQLSchemaVersion,
        walPath: String?,
        walLimit: Int,
        turn: NSLock?,
        busyTimeout: Duration
    ) {
        self.connection = connection
        self.walPath = walPath
        self.walLimit = walLimit
        truncationSize = walLimit
        self.turn = turn
        self.busyTimeout = busyTimeout
        transaction = SQLTransaction(connection, version)
    }

    func begin() throws -> any EngineWriter {
        turn?.lock()
        isCommitting = false
        mayRepeat = false
        do {
            try transaction.begin(.write)
        } catch {
            turn?.unlock()
            throw error
        }
        watch?.enter(connection)
        return transaction
    }

    func commit(_ writer: any EngineWriter) throws {
        isCommitting = true
        try transaction.commit()
        watch?.leave(connection)
        truncateLog()
        turn?.unlock()
    }

    func rollback(_ writer: any EngineWriter) {
        transaction.rollback()
        mayRepeat = transaction.forgetStaleSchema() && !isCommitting
        watch?.leave(connection)
        turn?.unlock()
    }

    func recover(from error: any Error) -> (any Error)? { mayRepeat ? nil : error }

    /// Runs a body in a read transaction on the writer's connection, for a store in memory.
    func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        turn?.lock()
        defer { turn?.unlock() }
        if isClosed { throw DBClientError(.closed, "The client was closed.") }
        try transaction.begin(.read)
        defer { transaction.rollback() }
        return try body(transaction)
    }

    func close() {
        turn?.lock()
        isClosed = true
        transaction.close()
        turn?.unlock()
    }

    /// Empties the write-ahead log once it is large, unless a reader still needs it: then it is tried
    /// again when the log has grown by a quarter of the limit, since each try costs a copy of pages.
    ///
    /// Where reads overlap, some reader needs the log at every moment, so that it would grow until the disk is
    /// full: from four times the limit on they are waited for.
    private func truncateLog() {
        guard let walPath else { return }
        let size = SQLiteFile.size(walPath)
        if size < truncationSize { return }
        sqlite3_busy_timeout(connection.handle, size < walLimit * 4 ? 0 : Self.patience)
        let code = sqlite3_wal_checkpoint_v2(
            connection.handle,
            nil,
            SQLITE_CHECKPOINT_TRUNCATE,
            nil,
            nil
        )
        sqlite3_busy_timeout(
            connection.handle,
            Int32(clamping: busyTimeout.nanoseconds / 1_000_000)
        )
        truncationSize = code == SQLITE_OK ? walLimit : size + walLimit / 4
    }
}
