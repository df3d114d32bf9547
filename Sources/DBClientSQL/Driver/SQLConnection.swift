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

    /// Prepares one statement that is run once and then finalized.
    func prepareOnce(_ sql: String) throws -> any SQLStatement

    /// Notes that a statement of the user's own is run next, which may call what sets something for the whole
    /// session; does nothing by default.
    func willRunOwn(_ sql: String)

    /// Releases the connection, of which no statement is in use any more. Never fails.
    func close()

    /// Whether one statement without a transaction reads a snapshot, and takes less than one with it.
    ///
    /// The default is no. Then `begin` is asked for a `.call`.
    var readsWithoutTransaction: Bool { get }

    /// Whether a table whose file is damaged may be read in another order than that of its keys, without an error; no is
    /// the default.
    var readsDamagedTables: Bool { get }

    /// Begins a transaction that reads one snapshot or writes.
    func begin(_ kind: SQLTransactionKind) throws
    /// Commits the open transaction, and throws when the database refuses.
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

    /// A number that changes with the shape of any table, whichever connection changes it; nil, by default,
    /// where the database has none.
    func schemaNumber() throws -> Int64?

    /// Notes the number of the tables' shapes from which statements are made from now on; nil where there are none
    /// yet. Does nothing by default.
    ///
    /// A statement that reads and finds other shapes throws `.transactionConflict` before it returns a row, which
    /// would be decoded wrongly.
    func noteSchema(_ number: Int64?)

    /// Describes a table as it is now; nil when there is none of this name.
    func describe(_ table: String) throws -> SQLTableDescription?

    /// Whether the open transaction must create the tables that it reads and that do not exist; false by
    /// default.
    ///
    /// It must where other sessions may create them meanwhile and the transaction is serializable.
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

    /// Notes that a migration changes tables next: while it waits for their locks, it must not keep later
    /// transactions waiting for long. Does nothing by default.
    func willAlter() throws

    /// Returns a value as a constant of a field's type.
    func literal(_ value: Slot, of field: FieldSchema) throws -> String

    /// Whether the indexes that a table lacks are built by the write that misses them; yes is the default.
    ///
    /// Where it is no, a write goes on without those that are not unique.
    func buildsIndexes(of table: String) throws -> Bool

    /// Has the indexes that a table lacks built after the open transaction is committed, concurrently with reads
    /// and writes. Does nothing by default.
    func buildIndexesLater(of entity: EntitySchema) throws

    /// Lets the database delete the links in a table with their owners, whichever program deletes those, where
    /// it can; it cannot, by default.
    ///
    /// - Parameters:
    ///   - links: The table of the links, which is there.
    ///   - owner: Whose rows they belong to.
    ///   - isNew: Whether the table was just made.
    /// - Returns: Whether they do.
    /// - Throws: What a statement throws.
    func tieLinks(_ links: TableSQL, to owner: LinkOwner, isNew: Bool) throws -> SQLLinkTie

    /// Whether a foreign key refers to a table, be it one of the table's own; no is the default.
    ///
    /// The keys by which the library ties links to their owners do not count.
    func hasForeignKeys(to table: String, fromOthersAlone: Bool) throws -> Bool

    /// Runs a body in which foreign keys that refer to some tables are checked at its end, as far as they can
    /// wait; by default the body alone.
    func deferringForeignKeys(to tables: [String], _ body: () throws -> Void) throws

    /// Throws when a foreign key is broken whose check waits for the commit; nothing by default.
    func checkForeignKeys() throws

    /// Returns the tables that the database itself has written since the last call, by triggers and foreign
    /// keys; none is the default.
    func takeTablesWrittenUnseen() -> Set<String>

    /// Returns the verbs on one entity's table, whose shape was checked.
    func table(_ sql: TableSQL) throws -> any SQLTable

    /// What makes the verbs of an entity's table cheap; by default nothing is special.
    func hints(for entity: EntitySchema) -> EngineHints
}

/// Whether the links in a table go with their owners.
public enum SQLLinkTie: Sendable {
    /// The database deletes the links with their owners.
    case tied(isNew: Bool)
    /// The database does not, so the library deletes them.
    case none
    /// The table of the owners is not there yet.
    case ownerMissing
}

extension SQLConnection {
    /// Returns `.none`, so that the library deletes the links itself.
    public func tieLinks(
        _ links: TableSQL,
        to owner: LinkOwner,
        isNew: Bool
    ) throws -> SQLLinkTie { .none }

    /// Returns false, for a database that no foreign keys are declared in.
    public func hasForeignKeys(to table: String, fromOthersAlone: Bool) throws -> Bool { false }

    /// Runs the body without deferring any check.
    public func deferringForeignKeys(to tables: [String], _ body: () throws -> Void) throws {
        try body()
    }

    /// Does nothing, since no check was deferred.
    public func checkForeignKeys() throws {}

    /// Returns the empty set, for a database without triggers or cascades.
    public func takeTablesWrittenUnseen() -> Set<String> { [] }

    /// Returns the default hints of an engine.
    public func hints(for entity: EntitySchema) -> EngineHints { EngineHints() }

    /// False, so that damage that a read meets is always reported.
    public var readsDamagedTables: Bool { false }

    /// Asks whether it was lost.
    public func checkTransaction() throws {
        guard hasLostTransaction else { return }
        throw DBClientError(
            .transactionEnded,
            "The database has given the transaction up.",
            hint: "End the unit of work when a write of it fails for want of room or the like."
        )
    }

    /// Returns nil, so that changes of a table by another connection are not noticed by a number.
    public func schemaNumber() throws -> Int64? { nil }

    /// Does nothing, since there is no number to compare.
    public func noteSchema(_ number: Int64?) {}

    /// Returns false: a table that does not exist is read as empty.
    public func makesTablesItReads() throws -> Bool { false }

    /// Returns true, and leaves it to the database to refuse a write.
    public func mayWrite(_ table: String) throws -> Bool { true }

    /// False, so that each read runs in a transaction.
    public var readsWithoutTransaction: Bool { false }

    /// Does nothing, for a database whose migrations take no lock per table.
    public func willAlter() throws {}

    /// Returns true, so that the write that misses an index builds it.
    public func buildsIndexes(of table: String) throws -> Bool { true }

    /// Does nothing, since a write builds every index that is missing.
    public func buildIndexesLater(of entity: EntitySchema) throws {}

    /// Does nothing, for a connection that needs no notice of raw SQL.
    public func willRunOwn(_ sql: String) {}

    /// Does nothing, for a database that has one writer at a time.
    public func lock(_ tables: [String]) throws {}

    /// Does nothing, for a table with nothing to restore when it is made again.
    public func willDrop(_ table: String) throws {}

    /// Does nothing, since nothing was kept of the dropped table.
    public func didMake(_ table: String, of entity: EntitySchema) throws {}

    /// Prepares it as any other.
    public func prepareOnce(_ sql: String) throws -> any SQLStatement { try prepare(sql) }
}

/// What a transaction may do.
public enum SQLTransactionKind: Sendable {
    /// The transaction reads one snapshot and does not write.
    case read
    /// The transaction is one call that reads, whose only statement has a snapshot of its own.
    case call
    /// The transaction writes, and takes the database's write lock at once where it has one.
    case write
}
