public import DBClientCore

/// The verbs on one entity's table over one connection, in batches: what a driver makes fastest by
/// its own means, be it a statement that is stepped for each row or a bulk load.
///
/// The contract of each verb is that of the same verb of `EngineReader` and `EngineWriter`.
public protocol SQLTable: AnyObject {
    /// The entity and its statements.
    var sql: TableSQL { get }

    /// Visits the rows with these keys.
    func get(_ keys: RowBatch, _ visit: (Int, RowBatch) throws -> Void) throws
    /// Inserts rows and fills in the keys that the database made.
    func insert(_ rows: RowBuffer) throws
    /// Replaces rows by their keys.
    func update(_ rows: RowBatch, missing: (Int) throws -> Void) throws
    /// Inserts or replaces rows by their keys, of which no two are equal.
    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws
    /// Deletes the rows with these keys and returns how many there were.
    func delete(_ keys: RowBatch) throws -> Int
    /// Writes some fields of the row with a key and returns whether it exists.
    func update(key: RowBatch, setting assignments: RowAssignments) throws -> Bool
}
