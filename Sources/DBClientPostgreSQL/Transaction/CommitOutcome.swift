import DBClientCore

/// What became of a transaction whose commit was not answered.
public enum CommitOutcome: String, Sendable {
    /// It was committed, and its writes are visible.
    case committed
    /// It was rolled back; nothing of it was written.
    case rolledBack
    /// It still runs on the server.
    case inProgress
    /// Unknown for good: the transaction never got a number, the server has forgotten it, or the server
    /// crashed meanwhile, after which it reuses the numbers of lost transactions.
    case unknown
}

extension CommitOutcome {
    /// Returns the error for a commit that was sent and not answered.
    static func unknown(
        _ number: UInt64?,
        _ run: ServerRun?,
        _ cause: DBClientError
    ) -> DBClientError {
        DBClientError(
            .commitOutcomeUnknown,
            "The connection was lost before the server answered the commit.",
            hint: "Ask with commitOutcome(of:) before writing again.",
            underlying: UnansweredCommit(transaction: number, cause: cause, run: run)
        )
    }
}
