public import DBClientCore

/// That a server gives a client fewer connections than it wants, which the client gets along with.
///
/// ```swift
/// configuration.connectionWarning = { logger.warning("\($0)") }
/// ```
public struct PostgreSQLConnectionWarning: Sendable, CustomStringConvertible {
    /// What lacks a connection.
    public enum Purpose: Sendable {
        /// Calls, which wait for one of those that the pool has.
        case calls
        /// The observation of what other programs write, which is read again every five seconds meanwhile.
        case observation
    }

    /// What lacks a connection.
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
    /// Tells whom the configuration names of a connection that the server refused.
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
