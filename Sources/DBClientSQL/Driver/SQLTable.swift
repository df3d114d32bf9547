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
    /// Inserts rows and fills in the keys that the database generated, and again what a function fills the buffer with,
    /// until that returns false.
    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws
    /// Inserts or replaces rows by their keys, of which no two are equal.
    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws
    /// Deletes the rows with these keys and returns how many there were.
    func delete(_ keys: RowBatch) throws -> Int
    /// Writes fields of rows by their keys.
    func update(
        _ rows: RowBatch,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws

    /// Checks the values that some fields of the rows of a query are set to, or, where there are none, notes that the
    /// rows are deleted; does nothing by default.
    func willWrite(_ assignments: RowAssignments?) throws

    /// Returns the greatest integer that is a key or that the database knows was one; nil where there is none.
    ///
    /// No other transaction generates a key until this one ends.
    func lastKey() throws -> Int64?
    /// Makes the database generate no key up to this one.
    func skipKeys(through key: Int64) throws
}

extension SQLTable {
    /// Does nothing, for a driver that prepares nothing per write.
    public func willWrite(_ assignments: RowAssignments?) throws {}
}
