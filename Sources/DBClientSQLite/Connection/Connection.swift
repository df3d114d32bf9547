import DBClientCore
import DBClientSQL
import GRDB
import GRDBSQLite

/// One SQLite connection that GRDB opened and set up.
///
/// Its handle is used directly: nothing else has
/// GRDB's object, so one thread at a time is all that there is to keep.
final class SQLiteConnection: SQLConnection {
    let handle: SQLiteHandle
    let sqlite: SQLiteDialect
    let dialect: any SQLDialect
    private let owner: any DatabaseWriter
    private var isInTransaction = false
    /// Whether the open transaction changes tables by a migration.
    var isMigrating = false
    private var depth = 0
    /// The formats of columns whose functions the connection has.
    private var formats: Set<ColumnFormat> = []

    private let beginningRead = SQLiteVerb("BEGIN DEFERRED")
    private let beginningWrite = SQLiteVerb("BEGIN IMMEDIATE")
    private let committing = SQLiteVerb("COMMIT")
    private let rollingBack = SQLiteVerb("ROLLBACK")
    private var savepoints: [SavepointVerbs] = []
    /// The queries of the schema, kept because each transaction that deletes asks for one table.
    var schemaQueries: [String: SQLiteStatement] = [:]
    private var askingVersion: SQLiteStatement?
    /// The mark of stored views that the connection holds.
    let viewGuard = SQLiteViewGuard()
    /// What statements write beside their own tables.
    let effects = SQLiteEffects()
    /// How long a read may last; nil where that is not limited.
    private var readLimit: SQLiteReadLimit?

    /// How often the key of the file had been changed when the connection was given it.
    let generation: Int

    /// Takes over what GRDB opened.
    ///
    /// - Parameters:
    ///   - owner: What GRDB opened.
    ///   - dialect: How statements are spelt.
    ///   - generation: How often the key of the file had been changed; nil where it has none.
    /// - Throws: `.closed`; what registering a function throws.
    init(
        _ owner: any DatabaseWriter,
        _ dialect: SQLiteDialect = SQLiteDialect(),
        generation: Int? = nil
    ) throws {
        sqlite = dialect
        self.dialect = dialect
        guard let pointer = owner.unsafeReentrantWrite({ $0.sqliteConnection }) else {
            throw DBClientError(.closed, "The connection was closed.")
        }
        self.owner = owner
        self.generation = generation ?? 0
        handle = SQLiteHandle(pointer, isEncrypted: generation != nil)
        if handle.isEncrypted { effects.proof = SQLitePageProof(handle) }
        // GRDB's own bookkeeping of transactions would be notified of those that it does not run.
        handle.removeTransactionHooks()
        SQLiteDefense.apply(to: handle)
        try SQLiteFunctions.register(on: handle)
        try viewGuard.register(on: handle)
        // GRDB's authorizer would look at every name of every statement, for requests of its own.
        handle.removeAuthorizer()
        if !handle.isReadOnly { effects.watch(handle) }
    }

    func close() {
        for verb in [beginningRead, beginningWrite, committing, rollingBack] { verb.finalize() }
        savepoints.removeAll()
        schemaQueries.removeAll()
        askingVersion = nil
        effects.schema.close()
        effects.proof?.close()
        handle.removeAuthorizer()
        try? owner.close()
    }

    /// Gives the connection the functions of a format of columns.
    func register(_ format: ColumnFormat) throws {
        guard formats.insert(format).inserted else { return }
        try SQLiteFunctions.register(format, on: handle)
    }

    /// So few that they stay in the processor's cache until they are bound: SQLite takes one after another.
    func hints(for entity: EntitySchema) -> EngineHints {
        EngineHints(rowsOfInsert: 1_024, upsertsRowByRow: true)
    }

    /// Prepares the journal of a file: in write-ahead mode, where readers and the writer do not wait for each
    /// other, if the file is in that mode or is to enter it.
    ///
    /// - Returns: Whether the file is in write-ahead mode.
    /// - Throws: `.io` when the file system cannot do it.
    func prepareJournal(_ durability: Durability, entersWriteAheadMode: Bool) throws -> Bool {
        let mode = try text("PRAGMA journal_mode\(entersWriteAheadMode ? " = WAL" : "")")
        let hasLog = mode == "wal"
        guard hasLog || !entersWriteAheadMode else {
            throw DBClientError(
                .io,
                "The file system does not allow for a write-ahead log.",
                hint: "A store needs a local file system."
            )
        }
        // A journal that is removed commits, and its removal is to survive as well.
        let level = durability == .full ? (hasLog ? "FULL" : "EXTRA") : "NORMAL"
        try run("PRAGMA synchronous = \(level)")
        // The first read makes the log and its index, which a connection for reading cannot.
        try SQLiteStatement(handle, "SELECT 1 FROM sqlite_schema").step(on: nil)
        return hasLog
    }

    /// Ends the statements of a read transaction that goes on for longer.
    func limitReads(to age: Duration) {
        readLimit = SQLiteReadLimit(age, handle)
    }

    /// Returns the text that a statement answers with.
    private func text(_ sql: String) throws -> String {
        var text = ""
        try SQLiteStatement(handle, sql).values(on: nil) { row in
            text = String(decoding: row[0].bytes, as: UTF8.self)
            return false
        }
        return text
    }

    /// Returns the statement that asks whether another connection committed.
    func versionStatement() throws -> SQLiteStatement {
        if let askingVersion { return askingVersion }
        let statement = try SQLiteStatement(handle, "PRAGMA data_version")
        askingVersion = statement
        return statement
    }

    func schemaNumber() throws -> Int64? { try effects.schema.current(handle) }

    func noteSchema(_ number: Int64?) { effects.schema.number = number }

    func prepare(_ sql: String, for use: SQLStatementUse) throws -> any SQLStatement {
        try SQLiteStatement(handle, sql, effects)
    }

    /// Runs a statement that needs no values, to its end, and does not keep it prepared.
    func run(_ sql: String) throws {
        _ = try SQLiteStatement(handle, sql, effects).execute(on: nil)
    }

    func takeTablesWrittenUnseen() -> Set<String> { effects.take() }

    func begin(_ kind: SQLTransactionKind) throws {
        try (kind == .write ? beginningWrite : beginningRead).run(handle)
        isInTransaction = true
        isMigrating = false
        viewGuard.held = nil
        effects.schema.isWriting = kind == .write
        readLimit?.begin()
    }

    func commit() throws {
        try committing.run(handle)
        isInTransaction = false
        effects.schema.isWriting = false
        depth = 0
    }

    func rollback() {
        readLimit?.end()
        if !handle.isOutsideTransaction { try? rollingBack.run(handle) }
        isInTransaction = false
        effects.schema.isWriting = false
        depth = 0
    }

    var transactionLoss: SQLTransactionLoss? {
        isInTransaction && handle.isOutsideTransaction ? .aborted : nil
    }

    func savepoint(_ step: SQLSavepointStep) throws {
        switch step {
        case .begin:
            try savepoints(at: depth).begin.run(handle)
            depth += 1
        case .release:
            try savepoints(at: depth - 1).release.run(handle)
            depth -= 1
        case .rollback:
            try savepoints(at: depth - 1).rollback.run(handle)
            try savepoints(at: depth - 1).release.run(handle)
            depth -= 1
        }
    }

    private func savepoints(at depth: Int) -> SavepointVerbs {
        while savepoints.count <= depth { savepoints.append(SavepointVerbs(savepoints.count)) }
        return savepoints[depth]
    }
}

/// The statements of the savepoints at one depth.
private struct SavepointVerbs {
    let begin: SQLiteVerb
    let release: SQLiteVerb
    let rollback: SQLiteVerb

    init(_ depth: Int) {
        begin = SQLiteVerb("SAVEPOINT s\(depth)")
        release = SQLiteVerb("RELEASE s\(depth)")
        rollback = SQLiteVerb("ROLLBACK TO s\(depth)")
    }
}

/// A fixed statement without parameters or rows, prepared when it is first run.
private final class SQLiteVerb {
    private let sql: String
    private var statement: SQLiteStatement?

    init(_ sql: String) {
        self.sql = sql
    }

    func run(_ connection: SQLiteHandle) throws {
        if let statement { return try statement.step(on: nil) }
        let statement = try SQLiteStatement(connection, sql)
        self.statement = statement
        try statement.step(on: nil)
    }

    func finalize() {
        statement = nil
    }
}

/// Ends the statements of a read transaction that has lasted too long.
private final class SQLiteReadLimit {
    private let age: Duration
    /// When the transaction has lasted too long; nil outside of one.
    private let deadline: UnsafeMutablePointer<CoarseInstant?>

    /// How many steps of SQLite's machine a connection makes before the time is looked at.
    private static var steps: Int32 { 100 }

    init(_ age: Duration, _ connection: SQLiteHandle) {
        self.age = age
        deadline = .allocate(capacity: 1)
        deadline.initialize(to: nil)
        sqlite3_progress_handler(
            connection.pointer,
            Self.steps,
            { deadline in
                guard let end = deadline?.load(as: CoarseInstant?.self) else { return 0 }
                return CoarseInstant.now > end ? 1 : 0
            },
            deadline
        )
    }

    deinit {
        deadline.deallocate()
    }

    func begin() {
        deadline.pointee = .now + age
    }

    func end() {
        deadline.pointee = nil
    }
}
