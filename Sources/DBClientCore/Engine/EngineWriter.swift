/// Writing inside a transaction.
///
/// What it changed is visible to it at once.
///
/// A call that concerns one row is atomic by itself. One over many rows may leave the first of them
/// written when it throws; the caller wraps it in a savepoint where that matters.
public protocol EngineWriter: EngineReader {
    /// Inserts the rows of a buffer.
    ///
    /// Where the primary key of a row is a null slot, the engine makes an integer that the store
    /// never used before and replaces the slot.
    ///
    /// - Throws: `.duplicateKey`, `.uniqueViolation`.
    func insert(_ rows: RowBuffer) throws

    /// Inserts the rows of a buffer, and again what a function fills it with, until that returns false.
    ///
    /// An engine that loads rows in one statement has it do its work while the next rows are made. The
    /// default inserts them buffer by buffer.
    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws

    /// Writes fields of rows by their primary keys.
    ///
    /// A row of the batch has room for every field: its key, and the values of `columns`, ascending and none of the
    /// key, are there. To replace whole rows `columns` are all of ``EntitySchema/columnsBesideKey``; only then may a
    /// key come twice, and the last row counts. `missing` is called with the position of each row whose key does not
    /// exist.
    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws

    /// Inserts or replaces rows by their primary keys, of which no two are equal.
    ///
    /// `outcome` is called for each row, in order, with whether it was inserted. The default looks the keys
    /// up, then updates the rows that exist and inserts the others.
    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws

    /// Deletes the rows with these keys and returns how many there were.
    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int

    /// Writes some fields of the rows of a query and returns how many there were. The default visits them, and
    /// writes them by their keys.
    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int

    /// Deletes the rows of a query and returns how many there were. The default visits them, and deletes them by
    /// their keys.
    func delete(_ query: RowQuery) throws -> Int

    /// Whether the whole transaction is lost, whatever savepoint is rolled back: a full map, a
    /// broken connection; no is the default.
    var hasFailed: Bool { get }

    /// Changes what the store has of an entity, so that the entity fits; other values stay as they are.
    ///
    /// By default it throws `.unsupported`.
    func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws

    /// Whether rows of an entity can be written, whose table may have to be made for them; yes is the default.
    func mayKeep(_ entity: EntitySchema) throws -> Bool

    /// Takes away everything that the store has under an entity's name, whatever its shape.
    ///
    /// By default it throws `.unsupported`.
    func drop(_ entity: EntitySchema) throws

    /// Takes away everything that the store has of an entity, which fits it, and makes room for another under
    /// its name, whose generated keys come after every key that was generated or is stored.
    ///
    /// By default it throws `.unsupported`.
    func replace(_ former: EntitySchema, with entity: EntitySchema) throws

    /// Keeps others from writing to some entities until the transaction ends, so that what is read of them
    /// from here on is all that there is.
    ///
    /// For a unit that puts other values in the place of all that an entity has. By default it does nothing,
    /// which is right where one transaction writes at a time.
    func reserve(_ entities: [EntitySchema]) throws

    /// Whether the store has foreign keys of its own that refer to an entity's rows, so that what holds a row
    /// must be gone before it; no is the default.
    func hasForeignKeys(to entity: EntitySchema) throws -> Bool

    /// Runs a body in which foreign keys that refer to some entities are not checked before its end, as far as
    /// they can wait; by default the body alone.
    func deferringForeignKeys(to entities: [EntitySchema], _ body: () throws -> Void) throws

    /// Throws when a foreign key is broken whose check would wait for the commit, which several units may share.
    ///
    /// Called at the end of a unit. By default it does nothing, which is right where a unit has a commit of its
    /// own.
    func checkForeignKeys() throws

    /// Whether there may be links of an entity whose owner is gone, since another program may have deleted it
    /// without them; no is the default.
    func mayKeepLinksOfDeleted(_ links: EntitySchema) throws -> Bool

    /// Returns what the store itself has written since the last call, by triggers and rules of its own: none is
    /// the default.
    func takeUntrackedChanges() -> UntrackedChanges

    /// Opens a savepoint inside the innermost one.
    func beginSavepoint() throws
    /// Keeps what was written since the innermost savepoint and closes it.
    func releaseSavepoint() throws
    /// Undoes what was written since the innermost savepoint and closes it.
    func rollbackSavepoint() throws
}
