/// What a connection knows of a statement that it has prepared.
public struct SQLStatementDescription: Sendable {
    /// The SQL text that was prepared.
    public var sql: String
    /// The number of parameters that `bind` takes.
    public var parameterCount: Int
    /// Whether running it leaves the database as it is.
    public var isReadOnly: Bool
    /// Whether running it may write rows, as a query does that calls a function.
    public var mayWrite: Bool

    /// Creates a description; unless said otherwise, a statement may write that is not read-only.
    public init(sql: String, parameterCount: Int, isReadOnly: Bool, mayWrite: Bool? = nil) {
        self.sql = sql
        self.parameterCount = parameterCount
        self.isReadOnly = isReadOnly
        self.mayWrite = mayWrite ?? !isReadOnly
    }
}
