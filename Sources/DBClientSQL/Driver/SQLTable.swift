public import DBClientCore

/// The verbs on one entity's table over one connection, in batches: what a driver makes fastest by
/// its own means, be it a statement that is stepped for each row or a bulk load.
///
/// The contract of each verb is that of the same verb of `EngineReader` and `EngineWriter`.
public protocol SQLTable: AnyObject {
    /// The entity, its table, and the SQL of its statements.
    var sql: TableSQL { get }

    /// Visits the rows with these keys.
    func get(_ keys: RowBatch, _ visit: (Int, RowBatch) throws -> Void) throws
    /// Inserts rows and fills in the keys that the database generated, and again what a function fills the buffer with,
    /// until that returns false.
    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws
    /// Inserts or replaces rows by their keys, of which no two are equal.
    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws
    /// Inserts those rows that conflict with none in a unique value, tells of each whether it was inserted, and returns
    /// true; returns false, and inserts nothing, where the table has to be looked at first, which is the default.
    func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws -> Bool
    /// Inserts or replaces rows by fields that are unique, fills in the keys of those that were there, tells of each row
    /// whether it was inserted, and returns true; returns false, and writes nothing, where the table has to be looked at
    /// first, which is the default.
    func upsert(
        _ rows: RowBuffer,
        by columns: [Int],
        outcome: (Int, Bool) -> Void
    ) throws -> Bool
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

    /// Returns whether one statement may set some fields of the rows of a query: not where the driver looks at other rows
    /// before each. By default it may.
    func mayAssign(_ columns: [Int]) -> Bool

    /// Returns whether a statement may compute what is written to some fields: not where the driver checks their values
    /// before they are written. By default it may.
    func mayCompute(_ columns: [Int]) -> Bool

    /// Whether a statement that writes rows of a query may return them: not where the database may leave rows out, or
    /// put others in their place. By default it may not.
    var mayReturnRows: Bool { get }

    /// Notes that a statement inserts rows that it makes itself, and returns whether it may: not where the driver checks
    /// the values of some fields, nor, where keys are to be made, where it makes them. By default it may not.
    func mayInsert(_ columns: [Int], makingKeys: Bool) throws -> Bool

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

    /// Returns false, for a driver without such a statement.
    public func insertAbsent(
        _ rows: RowBuffer,
        outcome: (Int, Bool) -> Void
    ) throws -> Bool { false }

    /// Returns false, for a driver without such a statement.
    public func upsert(
        _ rows: RowBuffer,
        by columns: [Int],
        outcome: (Int, Bool) -> Void
    ) throws -> Bool { false }

    /// True, for a driver that looks at no other rows.
    public func mayAssign(_ columns: [Int]) -> Bool { true }

    /// False, for a driver whose statements return no rows.
    public var mayReturnRows: Bool { false }

    /// Returns false, for a driver that sends every row.
    public func mayInsert(_ columns: [Int], makingKeys: Bool) throws -> Bool { false }

    /// True, for a driver that checks no values.
    public func mayCompute(_ columns: [Int]) -> Bool { true }
}
