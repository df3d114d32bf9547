import DBClientCore
import DBClientSQL
import Foundation

/// The one writer of a store, as the write queue uses it: by one thread at a time.
final class SQLiteWriter: GroupCommitter, @unchecked Sendable {
    private(set) var transaction: SQLTransaction
    private var connection: SQLiteConnection
    private let version: SQLSchemaVersion
    /// None for a store in memory.
    private let files: SQLiteStoreFiles?
    /// None for a store in memory and for a file in another journal mode.
    private let log: SQLiteWriteAheadLog?
    /// Taken while a transaction lasts where the one connection also reads.
    private let turn: NSLock?
    /// Whether files that were deleted or replaced were released.
    private var hasLetGo = false
    private var isClosed = false
    /// Whether the transaction has come to its commit, after which it must not be repeated.
    private var isCommitting = false
    /// Whether what the transaction failed for may be that another program had changed the tables.
    private var mayRepeat = false
    /// The change of the key that is to follow the transaction that runs.
    var keyChange: SQLiteKeyChange?
    /// Notices commits of other processes; nil for a store in memory, which has none.
    var watch: SQLiteCommitWatch?

    init(
        _ connection: SQLiteConnection,
        _ version: SQLSchemaVersion,
        files: SQLiteStoreFiles?,
        log: SQLiteWriteAheadLog?,
        turn: NSLock?
    ) {
        self.connection = connection
        self.version = version
        self.files = files
        self.log = log
        self.turn = turn
        transaction = SQLTransaction(connection, version)
    }

    func begin() throws -> any EngineWriter {
        try SQLiteEngine.checkProcess()
        turn?.lock()
        isCommitting = false
        mayRepeat = false
        keyChange = nil
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
        try SQLiteEngine.checkProcess()
        // In the last moment before something is acknowledged that would be lost.
        try files?.check(connection.handle)
        try transaction.commit()
        files?.didCommit(connection.handle)
        watch?.leave(connection)
        log?.tend()
        if let keyChange {
            keyChange.run { self.use($0) }
            self.keyChange = nil
        }
        turn?.unlock()
    }

    func rollback(_ writer: any EngineWriter) {
        // The transaction is the parent's, whose log's index both have mapped.
        if Fork.isChild { return }
        transaction.rollback()
        if files?.isLost == true { letGo() }
        mayRepeat = transaction.forgetStaleSchema() && !isCommitting
        watch?.leave(connection)
        turn?.unlock()
    }

    /// Goes on with a connection that has another key of the file.
    private func use(_ connection: SQLiteConnection) {
        let former = transaction
        self.connection = connection
        transaction = SQLTransaction(connection, version)
        log?.use(connection)
        watch?.leave(connection)
        former.close()
        // What is in the log is under the new key as well, but the file has the pages of the old one until then.
        log?.empty()
    }

    func recover(from error: any Error) -> (any Error)? { mayRepeat ? nil : error }

    /// Runs a body in a read transaction on the writer's connection, where that is the only one.
    func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        turn?.lock()
        defer { turn?.unlock() }
        if isClosed { throw DBClientError(.closed, "The client was closed.") }
        return try transaction.repeatingOnce {
            try transaction.begin(.read)
            defer { transaction.rollback() }
            return try body(transaction)
        }
    }

    /// Closes the connection.
    ///
    /// - Throws: `.io` when the store's file was deleted or replaced while it was open.
    func close() throws {
        turn?.lock()
        defer { turn?.unlock() }
        isClosed = true
        log?.close()
        let check = Result { try files?.check(connection.handle) }
        if files?.isLost == true {
            letGo()
            // What a reader was in the way of.
            if files?.takesLog == true { log?.empty() }
        }
        files?.close()
        transaction.close()
        files?.noteThatSound()
        try check.get()
    }

    /// Releases files that were deleted or replaced: the log is copied into the file that it belongs to, which may have
    /// another name, and does not stay beside another file, whose log SQLite would take it for.
    private func letGo() {
        guard let files, !hasLetGo else { return }
        hasLetGo = true
        log?.close()
        if files.takesLog {
            log?.empty()
        } else {
            connection.handle.keepLog()
        }
        files.removeCompanions()
    }
}
