public import DBClientCore

/// The number of a transaction whose outcome is not known, found in `DBClientError.underlying`.
public struct UnansweredCommit: Error, Sendable, CustomStringConvertible {
    /// The server's number of the transaction; nil when it was not asked for.
    public let transaction: UInt64?
    /// The error with which the connection was lost before the commit was answered.
    public let cause: DBClientError
    /// The run of the server in which the number was given.
    let run: ServerRun?

    /// The server's number of the transaction, in words for a log.
    public var description: String {
        "transaction \(transaction.map { String($0) } ?? "without a number")"
    }
}
