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

    /// Inserts those rows that conflict with no stored row, nor with an earlier one of the buffer, in the primary key or
    /// in the fields of a unique index, and leaves out the others. Where one of the values is absent, nothing conflicts.
    ///
    /// It makes keys as for rows that are inserted. `outcome` is called for each row, in order, with whether it was inserted.
    /// The default looks for the stored rows first.
    func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws

    /// Replaces the stored rows that have the same values in some fields, beside their keys, and inserts the others.
    ///
    /// `columns` are the fields of the primary key or of a unique index, in its order. No two rows have the same values
    /// in them; a row with an absent one is inserted. The keys of the rows that were there take the place of those in
    /// the buffer, which is then marked as rounded where they differ. `outcome` is called for each row, in order, with
    /// whether it was inserted. The default looks for the stored rows first.
    func upsert(_ rows: RowBuffer, by columns: [Int], outcome: (Int, Bool) -> Void) throws

    /// Deletes the rows with these keys and returns how many there were.
    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int

    /// Writes some fields of the rows of a query and returns how many there were. The default visits them, and
    /// writes them by their keys.
    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int

    /// Writes to the rows of a query some fields that are known and others that are computed from the row as it is
    /// stored, and returns how many rows there were. No field is both.
    ///
    /// The default reads the rows and writes them by their keys, in the query's order.
    ///
    /// - Throws: `.invalidValue` where there is no such value; nothing of the update is then kept.
    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation]
    ) throws -> Int

    /// Deletes the rows of a query and returns how many there were. The default visits them, and deletes them by
    /// their keys.
    func delete(_ query: RowQuery) throws -> Int

    /// Writes to the rows of a query fields that are known and fields that are computed, as
    /// ``update(_:setting:computing:)`` does, and appends the whole rows to an empty buffer as they are then, in the
    /// query's order.
    ///
    /// The default reads the rows, and writes them by their keys.
    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws

    /// Deletes the rows of a query, and appends them to an empty buffer as they were, in the query's order.
    ///
    /// The default reads the rows, and deletes them by their keys.
    func delete(_ query: RowQuery, returning rows: RowBuffer) throws

    /// Inserts rows that are made from those of a query, and returns how many there were.
    ///
    /// All of them are read before the first is written. The default reads them, and inserts what becomes of them.
    func insert(_ insertion: RowInsertion) throws -> Int

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

    /// Keeps a mark with an entity's rows, whose table is made where there is none; nil takes it away.
    ///
    /// From then on the store refuses every write to the rows, by whatever program, but of those that know the entity
    /// with this mark. By default it throws `.unsupported`.
    func setViewMark(_ mark: String?, of entity: EntitySchema) throws

    /// Keeps others from writing to some entities until the transaction ends, so that what is read of them
    /// from here on is all that there is.
    ///
    /// For a unit that puts other values in the place of all that an entity has. By default it does nothing,
    /// which is right where one transaction writes at a time.
    func reserve(_ entities: [EntitySchema]) throws

    /// Whether the store has foreign keys of its own that refer to an entity's rows, so that what holds a row
    /// must be gone before it; no is the default.
    func hasForeignKeys(to entity: EntitySchema) throws -> Bool

    /// Whether the store may keep other values of an entity's rows than those that are written, as a column does that
    /// rounds, or that the store computes; no is the default.
    func keepsOtherValues(of entity: EntitySchema) throws -> Bool

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
