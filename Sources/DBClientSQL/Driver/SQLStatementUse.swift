/// What a statement is prepared for.
public enum SQLStatementUse: Sendable {
    /// The statement is kept and run many times.
    case repeated
    /// The statement is run once and then finalized.
    case once
    /// The statement is a caller's, with SQL that may call a function that changes the session; it is run once.
    case raw
}
