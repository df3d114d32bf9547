public import DBClientCore

/// One connection to a relational database: what a driver implements.
///
/// The contract is coarse: a loop over rows that touches slots lives inside the driver, so nothing is
/// dispatched dynamically for a row. Used by one thread at a time.
///
/// Errors that leave a driver are `DBClientError`.
public protocol SQLConnection: AnyObject {
    /// The dialect in which statements for the database are written.
    var dialect: any SQLDialect { get }

    /// Prepares one statement, which the caller runs on this connection alone.
    func prepare(_ sql: String, for use: SQLStatementUse) throws -> any SQLStatement

    /// Releases the connection, of which no statement is in use any more. Never fails.
    func close()

    /// Begins a transaction that reads one snapshot or writes.
    func begin(_ kind: SQLTransactionKind) throws
    /// Commits the open transaction, and throws when the database refuses.
    func commit() throws
    /// Rolls the transaction back, if one is open. Never fails: where the database cannot, the connection is lost.
    func rollback()
    /// Why the open transaction is lost; nil while it is not.
    var transactionLoss: SQLTransactionLoss? { get }
    /// Takes one step with a savepoint.
    func savepoint(_ step: SQLSavepointStep) throws

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

    /// Returns the names of the tables and views in the schema, without those that the database or the driver keeps
    /// for itself.
    ///
    /// By default the call throws `.unsupported`.
    func tables() throws -> [String]

    /// Whether the open transaction must create the tables that it reads and that do not exist; false by
    /// default.
    ///
    /// It must where other sessions may create them meanwhile and the transaction is serializable.
    func makesTablesItReads() throws -> Bool

    /// Whether rows may be written to a table, or the table created if it does not exist; true by default.
    func mayWrite(_ table: String) throws -> Bool

    /// Whether a table or an index of this name exists.
    func isNameTaken(_ name: String) throws -> Bool

    /// Locks some tables against other writers until the transaction ends, so that later reads see all their
    /// rows; does nothing by default, where one transaction writes at a time.
    func lock(_ tables: [String]) throws

    /// Notes what becomes of tables; does nothing by default.
    func note(_ event: SQLSchemaEvent) throws

    /// Returns what a field holds whose column has a declared type that fits none, by the values that are there; nil by
    /// default, and where they do not tell.
    func form(ofValuesIn column: SQLTableDescription.Column, of table: String) throws -> FieldForm?

    /// Returns a value as a constant of a field's type.
    func literal(_ value: Slot, of field: FieldSchema) throws -> String

    /// Whether the open transaction builds the indexes that a table lacks; true by default.
    ///
    /// Otherwise a write continues without the indexes that are not unique, and is refused where one is unique; a
    /// migration, which has noted `SQLSchemaEvent.willAlter`, leaves all of them to the connection.
    func buildsIndexes(of table: String) throws -> Bool

    /// Lets the database delete the links in a table with their owners, whichever program deletes those, where
    /// it can; it cannot, by default.
    ///
    /// - Parameters:
    ///   - links: The table of the links, which exists.
    ///   - owner: The entity whose rows own them.
    ///   - isNew: Whether the table was just created.
    /// - Returns: Whether the database deletes them.
    /// - Throws: What a statement throws.
    func tieLinks(_ links: TableSQL, to owner: LinkOwner, isNew: Bool) throws -> SQLLinkTie

    /// Whether a foreign key refers to a table, its own keys included; false by default.
    ///
    /// The keys by which the library ties links to their owners do not count.
    func hasForeignKeys(to table: String, fromOthersAlone: Bool) throws -> Bool

    /// Runs a body and checks the deferrable foreign keys that refer to some tables at its end; by default only
    /// runs the body.
    func deferringForeignKeys(to tables: [String], _ body: () throws -> Void) throws

    /// Throws when a foreign key is violated whose check is deferred to the commit; does nothing by default.
    func checkForeignKeys() throws

    /// Returns the tables that the database itself has written since the last call, by triggers and foreign
    /// keys; none by default.
    func takeTablesWrittenUnseen() -> Set<String>

    /// Returns the mark that a table has by ``setViewMark(_:of:)``; nil, by default, where it has none.
    func viewMark(of table: String) throws -> String?

    /// Has the database refuse writes to a table in every session that does not hold this mark; nil lifts that.
    ///
    /// By default it throws `.unsupported`.
    func setViewMark(_ mark: String?, of table: String) throws

    /// Holds a mark until another one is held or the transaction ends; nil, with which every transaction begins, for none.
    /// Undoing a savepoint may undo it. Does nothing by default.
    func holdViewMark(_ mark: String?) throws

    /// Returns the verbs on one entity's table, whose shape was checked.
    func table(_ sql: TableSQL) throws -> any SQLTable

    /// Whether a table lacks an index that serves the values of a field in their order, as statements write it, where
    /// the column is of another type or collation than the library's own; false by default.
    func lacksIndex(ordering field: Int, of table: TableSQL) throws -> Bool

    /// Hints that make the verbs of an entity's table cheap; by default `EngineHints()`.
    func hints(for entity: EntitySchema) -> EngineHints
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

    /// Returns nil, which is the default.
    public func viewMark(of table: String) throws -> String? { nil }

    /// Throws `.unsupported`, which is the default.
    public func setViewMark(_ mark: String?, of table: String) throws {
        throw DBClientError(
            .unsupported,
            "The database must be able to refuse other writers to keep stored views; it is not."
        )
    }

    /// Does nothing, which is the default.
    public func holdViewMark(_ mark: String?) throws {}

    /// Returns the empty set, for a database without triggers or cascades.
    public func takeTablesWrittenUnseen() -> Set<String> { [] }

    /// Returns false, so that no plan has advice on indexes.
    public func lacksIndex(ordering field: Int, of table: TableSQL) throws -> Bool { false }

    /// Returns the default hints of an engine.
    public func hints(for entity: EntitySchema) -> EngineHints { EngineHints() }

    /// Returns nil, so that changes of a table by another connection are not noticed by a number.
    public func schemaNumber() throws -> Int64? { nil }

    /// Does nothing, since there is no number to compare.
    public func noteSchema(_ number: Int64?) {}

    /// Throws `.unsupported`, for a database whose catalog the driver does not read.
    public func tables() throws -> [String] {
        throw DBClientError(.unsupported, "The driver must read the database's catalog.")
    }

    /// Returns false: a table that does not exist is read as empty.
    public func makesTablesItReads() throws -> Bool { false }

    /// Returns true, and leaves it to the database to refuse a write.
    public func mayWrite(_ table: String) throws -> Bool { true }

    /// Returns true, so that the write that misses an index builds it.
    public func buildsIndexes(of table: String) throws -> Bool { true }

    /// Does nothing, for a database that has one writer at a time.
    public func lock(_ tables: [String]) throws {}

    /// Returns nil, for a database whose types say what a column holds.
    public func form(
        ofValuesIn column: SQLTableDescription.Column,
        of table: String
    ) throws -> FieldForm? { nil }

    /// Does nothing, for a database in which nothing hangs on a table.
    public func note(_ event: SQLSchemaEvent) throws {}
}
