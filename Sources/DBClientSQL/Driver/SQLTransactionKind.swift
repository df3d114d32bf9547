/// What a transaction may do, by which a driver chooses how to begin it.
public enum SQLTransactionKind: Sendable {
    /// The transaction reads one snapshot and does not write.
    case read
    /// The transaction is one call that reads, whose only statement has a snapshot of its own.
    case call
    /// The transaction writes, and takes the database's write lock at once where it has one.
    case write
}
