public import DBClientCore

/// A warning that the server allows a client fewer connections than it wants; the client goes on with those.
///
/// ```swift
/// configuration.connectionWarning = { logger.warning("\($0)") }
/// ```
public struct PostgreSQLConnectionWarning: Sendable, CustomStringConvertible {
    /// What a connection was wanted for.
    public enum Purpose: Sendable {
        /// Calls, which wait for one of those that the pool has.
        case calls
        /// The observation of what other programs write, which is read again every five seconds meanwhile.
        case observation
    }

    /// What the connection was wanted for.
    public let purpose: Purpose
    /// Why it could not be opened.
    public let error: DBClientError
    /// How many connections the pool goes on with at most.
    public let allowed: Int

    /// A line for a log, without any part of the connection string.
    public var description: String {
        switch purpose {
        case .calls:
            "A connection to the server was refused; calls share \(allowed) for now: \(error)"
        case .observation:
            "No connection could be opened to learn of other programs' commits; what is observed is read"
                + " again every five seconds: \(error)"
        }
    }
}

extension ConnectionPool {
    /// Calls the configuration's handler for a connection that the server refused.
    func warn(
        _ purpose: PostgreSQLConnectionWarning.Purpose,
        _ error: DBClientError,
        allowed: Int? = nil
    ) {
        guard let warning = configuration.connectionWarning else { return }
        warning(
            PostgreSQLConnectionWarning(
                purpose: purpose,
                error: error,
                allowed: allowed ?? figures.allowed
            )
        )
    }
}
