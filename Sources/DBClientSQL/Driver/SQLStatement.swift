public import DBClientCore

/// A prepared statement of a connection.
///
/// Bind first, then run it in one of the three ways. A statement cannot be run while it runs: a
/// caller that finds `isRunning` prepares another.
public protocol SQLStatement: AnyObject {
    /// What is known of the statement.
    var description: SQLStatementDescription { get }
    /// The names of the columns of a result; nil as long as they are not known before the statement has run.
    var columnNames: [String]? { get }
    /// Whether a call of `query` or `values` is under way.
    var isRunning: Bool { get }

    /// Binds every parameter, copying text and data.
    func bind(_ parameters: [Slot]) throws

    /// Runs the statement and returns how many rows it changed; an error is about the entity.
    func execute(on entity: EntitySchema?) throws -> Int

    /// Runs the statement and visits its rows, which carry an entity's fields; `forCaller` is whether the time of the
    /// visitor does not count as the statement's.
    ///
    /// The visitor returns false to stop early.
    func query(
        _ entity: EntitySchema,
        forCaller: Bool,
        _ visit: (RowBatch) throws -> Bool
    ) throws

    /// Runs a statement that writes rows and returns them, and visits them; by default as `query` does.
    func write(_ entity: EntitySchema, returning visit: (RowBatch) throws -> Void) throws

    /// Runs the statement and visits its rows as they come, each slot of whatever kind is stored.
    ///
    /// The visitor returns false to stop early.
    func values(
        on entity: EntitySchema?,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Bool
    ) throws
}

extension SQLStatement {
    /// Visits the rows as those of a query, for a driver that notes nothing of a statement that writes.
    public func write(_ entity: EntitySchema, returning visit: (RowBatch) throws -> Void) throws {
        try query(entity, forCaller: false) { batch in
            try visit(batch)
            return true
        }
    }
}
