public import DBClientCore

/// What became of a transaction whose commit was not answered.
public enum CommitOutcome: String, Sendable {
    /// It was committed.
    case committed
    /// It was rolled back; nothing of it was written.
    case rolledBack
    /// It still runs on the server.
    case inProgress
    /// Nobody can tell: the transaction was never numbered, the server has forgotten it, or the server
    /// broke down meanwhile, after which it gives the numbers of lost transactions again.
    case unknown
}

/// The number of a transaction whose outcome is not known, found in `DBClientError.underlying`.
public struct UnansweredCommit: Error, Sendable, CustomStringConvertible {
    /// The server's number of the transaction; nil when it was not asked for.
    public let transaction: UInt64?
    /// How the connection was lost.
    public let cause: DBClientError
    /// The run of the server in which the number was given.
    let run: ServerRun?

    /// The number.
    public var description: String {
        "transaction \(transaction.map { String($0) } ?? "without a number")"
    }
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

/// The time of a server between two recoveries, in which it gives no number twice.
///
/// A server that was killed, or a standby that was promoted, goes on counting from the last number that
/// it finds written. Its statistics do not survive that, so the moment of their reset tells one run from
/// the next; when a person resets them, a run looks like two, which is safe.
struct ServerRun: Equatable, Sendable {
    let beginning: Int64

    /// What an SQL statement selects for it, null where the server tells nothing.
    static let expression = """
        (SELECT (pg_catalog.date_part('epoch', stats_reset) * 1000000)::bigint
        FROM pg_catalog.pg_stat_bgwriter)
        """
}
