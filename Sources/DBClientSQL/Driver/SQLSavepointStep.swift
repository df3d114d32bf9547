/// A step with a savepoint of a transaction.
public enum SQLSavepointStep: Sendable {
    /// Opens a savepoint inside the innermost one.
    case begin
    /// Keeps what was written since the innermost savepoint and closes it.
    case release
    /// Rolls back to the innermost savepoint and closes it.
    case rollback
}
