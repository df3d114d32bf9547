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

    /// Notes the number of the tables' shapes from which statements are made from now on; nil where there are none
    /// yet. Does nothing by default.
    ///
    /// A statement that reads and finds other shapes throws `.transactionConflict`, before it hands over a row: it
    /// would be read as what it is not.
    func noteSchema(_ number: Int64?)

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

    /// Notes that a migration changes tables next: where others hold them, it shall not keep those waiting who
    /// come after it for long; does nothing by default.
    func willAlter() throws

    /// Returns a value as a constant of a field's type.
    func literal(_ value: Slot, of field: FieldSchema) throws -> String

    /// Whether the indexes that a table lacks are built by the write that misses them; yes is the default.
    ///
    /// Where it is no, a write goes on without those that are not unique.
    func buildsIndexes(of table: String) throws -> Bool

    /// Has the indexes that a table lacks built after the open transaction is committed, beside those who read and
    /// write; does nothing by default.
    func buildIndexesLater(of entity: EntitySchema) throws

    /// Has the links in a table go with their owners, whoever deletes those, where the database can do it; it
    /// cannot, by default.
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
    /// They do.
    case tied(isNew: Bool)
    /// They do not.
    case none
    /// The table of the owners is not there yet.
    case ownerMissing
}

extension SQLConnection {
    /// None.
    public func tieLinks(
        _ links: TableSQL,
        to owner: LinkOwner,
        isNew: Bool
    ) throws -> SQLLinkTie { .none }

    /// No.
    public func hasForeignKeys(to table: String, fromOthersAlone: Bool) throws -> Bool { false }

    /// Runs the body.
    public func deferringForeignKeys(to tables: [String], _ body: () throws -> Void) throws {
        try body()
    }

    /// Does nothing.
    public func checkForeignKeys() throws {}

    /// None.
    public func takeTablesWrittenUnseen() -> Set<String> { [] }

    /// Nothing is special.
    public func hints(for entity: EntitySchema) -> EngineHints { EngineHints() }

    /// No.
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

    /// Nil.
    public func schemaNumber() throws -> Int64? { nil }

    /// Does nothing.
    public func noteSchema(_ number: Int64?) {}

    /// No.
    public func makesTablesItReads() throws -> Bool { false }

    /// Yes.
    public func mayWrite(_ table: String) throws -> Bool { true }

    /// No.
    public var readsWithoutTransaction: Bool { false }

    /// Does nothing.
    public func willAlter() throws {}

    /// Yes.
    public func buildsIndexes(of table: String) throws -> Bool { true }

    /// Does nothing.
    public func buildIndexesLater(of entity: EntitySchema) throws {}

    /// Does nothing.
    public func willRunOwn(_ sql: String) {}

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
