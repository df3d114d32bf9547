import DBClientCore

/// Why a connection's open transaction is lost.
public enum SQLTransactionLoss: Sendable {
    /// The connection is lost, which the next statement reports.
    case connection
    /// The database has aborted the transaction.
    case aborted
    /// A statement has ended the transaction.
    case ended
}

extension SQLConnection {
    /// Whether the open transaction is lost.
    var hasLostTransaction: Bool { transactionLoss != nil }

    /// Throws when the open transaction was ended: each later statement would be committed by itself, whatever
    /// becomes of the unit of work.
    package func checkTransaction() throws {
        switch transactionLoss {
        case nil, .connection: return
        case .aborted:
            throw DBClientError(
                .transactionEnded,
                "The database has given the transaction up.",
                hint: "End the unit of work when a write of it fails for want of room or the like."
            )
        case .ended:
            throw DBClientError(
                .transactionEnded,
                "A statement has ended the transaction.",
                hint: "Use the client's transactions and savepoints."
            )
        }
    }
}
