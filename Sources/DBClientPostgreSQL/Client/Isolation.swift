/// How isolated a write transaction is from concurrent ones.
public enum PostgreSQLIsolation: String, Sendable {
    /// As if transactions ran one after another; a transaction that conflicts is retried.
    case serializable = "SERIALIZABLE"
    /// One snapshot; two transactions may each miss what the other writes.
    case repeatableRead = "REPEATABLE READ"
    /// A snapshot for each statement; what was read may be outdated when it is written back.
    case readCommitted = "READ COMMITTED"
}
