public import DBClientCore

/// One connection to a relational database: what a driver implements.
///
/// The contract is coarse: a loop over rows that touches slots lives inside the driver, so nothing is
/// dispatched dynamically for a row. Used by one thread at a time.
///
/// Errors that leave a driver are `DBClientError`.
public protocol SQLConnection: AnyObject {
    /// How the database spells what is written differently from one to another.
    var dialect: any SQLDialect { get }

    /// Prepares one statement for repeated use.
    func prepare(_ sql: String) throws -> any SQLStatement

    /// Prepares one statement that is run once and let go.
    func prepareOnce(_ sql: String) throws -> any SQLStatement

    /// Releases the connection, of which no statement is in use any more. Never fails.
    func close()

    /// Whether one statement without a transaction reads a snapshot, and takes less than one with it.
    ///
    /// The default is no. Then `begin` is asked for a `.call`.
    var readsWithoutTransaction: Bool { get }

    /// Begins a transaction.
    func begin(_ kind: SQLTransactionKind) throws
    /// Commits the transaction.
    func commit() throws
    /// Undoes the transaction, as far as one is open. Never fails: what cannot be rolled back is lost.
    func rollback()
    /// Whether the database itself has given the open transaction up.
    var hasLostTransaction: Bool { get }

    /// Throws when the database has given the open transaction up: what is written after that would stay,
    /// statement by statement, whatever becomes of the unit of work.
    func checkTransaction() throws

    /// Opens a savepoint inside the innermost one.
    func beginSavepoint() throws
    /// Keeps what was written since the innermost savepoint and closes it.
    func releaseSavepoint() throws
    /// Undoes what was written since the innermost savepoint and closes it.
    func rollbackSavepoint() throws

    /// A number that changes with the shape of any table, whoever changes it; nil, by default, where the
    /// database has none.
    func schemaNumber() throws -> Int64?

    /// Describes a table as it is now; nil when there is none of this name.
    func describe(_ table: String) throws -> SQLTableDescription?

    /// Whether the open transaction shall make the tables that it reads and that are not there; no is the
    /// default.
    ///
    /// So it must where others may make them meanwhile and the transaction shall be as if alone.
    func makesTablesItReads() throws -> Bool

    /// Whether rows may be written to a table, or the table made where it is not there; yes is the default.
    func mayWrite(_ table: String) throws -> Bool

    /// Whether a table or an index of this name is there.
    func isNameTaken(_ name: String) throws -> Bool

    /// Keeps others from writing to some tables until the transaction ends, so that what is read of them from
    /// here on is all that there is; nothing, by default, where one transaction writes at a time.
    func lock(_ tables: [String]) throws

    /// Notes that a table is dropped next, perhaps to be made again in the transaction; does nothing by
    /// default.
    func willDrop(_ table: String) throws

    /// Gives a table that was just made what the one had that was dropped under its name in the transaction;
    /// nothing by default.
    func didMake(_ table: String, of entity: EntitySchema) throws

    /// Returns the verbs on one entity's table, whose shape was checked.
    func table(_ sql: TableSQL) throws -> any SQLTable

    /// How many rows of an entity a buffer should have where many are inserted; nil, by default, for as many
    /// as usual.
    func rowsOfInsert(into entity: EntitySchema) -> Int?

    /// Whether the verb of a table that writes some fields of many rows takes less than one row after another;
    /// no is the default.
    var updatesTogether: Bool { get }

    /// Whether the verb of a table that upserts rows takes one row after another; no is the default.
    var upsertsRowByRow: Bool { get }
}

extension SQLConnection {
    /// Nil.
    public func rowsOfInsert(into entity: EntitySchema) -> Int? { nil }

    /// No.
    public var updatesTogether: Bool { false }

    /// No.
    public var upsertsRowByRow: Bool { false }

    /// Asks whether it was lost.
    public func checkTransaction() throws {
        guard hasLostTransaction else { return }
        throw DBClientError(
            .transactionEnded,
            "The database has given the transaction up.",
            hint: "End the unit of work when a write of it fails for want of room or the like."
        )
    }

    /// Nil.
    public func schemaNumber() throws -> Int64? { nil }

    /// No.
    public func makesTablesItReads() throws -> Bool { false }

    /// Yes.
    public func mayWrite(_ table: String) throws -> Bool { true }

    /// No.
    public var readsWithoutTransaction: Bool { false }

    /// Does nothing.
    public func lock(_ tables: [String]) throws {}

    /// Does nothing.
    public func willDrop(_ table: String) throws {}

    /// Does nothing.
    public func didMake(_ table: String, of entity: EntitySchema) throws {}

    /// Prepares it as any other.
    public func prepareOnce(_ sql: String) throws -> any SQLStatement { try prepare(sql) }
}

/// What a transaction may do.
public enum SQLTransactionKind: Sendable {
    /// Read one snapshot.
    case read
    /// Read by one call, whose statement has a snapshot of its own.
    case call
    /// Write, taking the database's write lock at once where it has one.
    case write
}
