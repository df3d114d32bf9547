public import DBClientCore

/// A prepared statement of a connection.
///
/// Bind first, then run it in one of the three ways. A statement cannot be run while it runs: a
/// caller that finds `isRunning` prepares another.
public protocol SQLStatement: AnyObject {
    /// The SQL text that was prepared.
    var sql: String { get }
    /// Whether a call of `query` or `values` is under way.
    var isRunning: Bool { get }
    /// The number of parameters that `bind` takes.
    var parameterCount: Int { get }
    /// Whether running it leaves the database as it is.
    var isReadOnly: Bool { get }
    /// Whether running it may write rows, as a query does that calls a function; by default, whether it is not
    /// read-only.
    var mayWrite: Bool { get }
    /// The names of the columns of a result.
    var columnNames: [String] { get }
    /// Whether `columnNames` are known before the statement has run; true by default.
    var isDescribed: Bool { get }

    /// Binds every parameter, copying text and data.
    func bind(_ parameters: [Slot]) throws

    /// Runs the statement and returns how many rows it changed; an error is about the entity.
    func execute(on entity: EntitySchema?) throws -> Int

    /// Runs the statement and visits its rows, which carry an entity's fields.
    ///
    /// The visitor returns false to stop early.
    func query(_ entity: EntitySchema, _ visit: (RowBatch) throws -> Bool) throws

    /// Runs the statement as `query` does, for a visitor whose time does not count as the statement's; by default
    /// there is no difference.
    func queryForCaller(_ entity: EntitySchema, _ visit: (RowBatch) throws -> Bool) throws

    /// Runs the statement and visits its rows as they come, each slot of whatever kind is stored.
    ///
    /// The visitor returns false to stop early.
    func values(
        on entity: EntitySchema?,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Bool
    ) throws
}

extension SQLStatement {
    /// Whether it is not read-only.
    public var mayWrite: Bool { !isReadOnly }

    /// Runs the statement as `query` does.
    public func queryForCaller(
        _ entity: EntitySchema,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try query(entity, visit)
    }

    /// True: the columns are known as soon as it is prepared.
    public var isDescribed: Bool { true }
}
