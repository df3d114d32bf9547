public import DBClientCore

/// What became of a transaction whose commit was not answered.
public enum CommitOutcome: String, Sendable {
    /// It was committed.
    case committed
    /// It was rolled back; nothing of it was written.
    case rolledBack
    /// It still runs on the server.
    case inProgress
    /// The server does not know any more, or the transaction was never numbered.
    case unknown
}

/// The number of a transaction whose outcome is not known, found in `DBClientError.underlying`.
public struct UnansweredCommit: Error, Sendable, CustomStringConvertible {
    /// The server's number of the transaction; nil when it was not asked for.
    public let transaction: UInt64?
    /// How the connection was lost.
    public let cause: DBClientError

    /// The number.
    public var description: String {
        "transaction \(transaction.map { String($0) } ?? "without a number")"
    }
}

extension CommitOutcome {
    /// Returns the error for a commit that was sent and not answered.
    static func unknown(_ number: UInt64?, _ cause: DBClientError) -> DBClientError {
        DBClientError(
            .commitOutcomeUnknown,
            "The connection was lost before the server answered the commit.",
            hint: "Ask with commitOutcome(of:) before writing again.",
            underlying: UnansweredCommit(transaction: number, cause: cause)
        )
    }
}
