import DBClientCore
import DBClientSQL
import Foundation

/// The one writer of a store, as the write queue uses it: by one thread at a time.
final class SQLiteWriter: GroupCommitter, @unchecked Sendable {
    let transaction: SQLTransaction
    private let connection: SQLiteConnection
    /// None for a store in memory.
    private let log: SQLiteWriteAheadLog?
    /// Taken while a transaction of a store in memory lasts, whose one connection also reads.
    private let turn: NSLock?
    private var isClosed = false
    /// Whether the commit was tried.
    private var isCommitting = false
    /// Whether what the transaction failed for may be that another program had changed the tables.
    private var mayRepeat = false
    /// Tells commits of others apart; none for a store in memory, where there are no others.
    var watch: SQLiteCommitWatch?

    init(
        _ connection: SQLiteConnection,
        _ version: SQLSchemaVersion,
        log: SQLiteWriteAheadLog?,
        turn: NSLock?
    ) {
        self.connection = connection
        self.log = log
        self.turn = turn
        transaction = SQLTransaction(connection, version)
    }

    func begin() throws -> any EngineWriter {
        turn?.lock()
        isCommitting = false
        mayRepeat = false
        do {
            try transaction.begin(.write)
            // What another process has converted since is not written as it was before.
            _ = transaction.forgetStaleSchema()
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
        log?.tend()
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
        log?.close()
        transaction.close()
        turn?.unlock()
    }
}
