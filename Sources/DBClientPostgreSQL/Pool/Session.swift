import DBClientCore
import DBClientSQL
import Dispatch

/// A connection of the pool with what was prepared on it and a thread to run on.
///
/// The caller that the pool leases it to uses it alone.
final class Session: @unchecked Sendable {
    let connection: PostgreSQLConnection
    let transaction: SQLTransaction
    /// When the connection has become too old.
    @exclusivity(unchecked) private(set) var end: Deadline
    @exclusivity(unchecked) private var isShortened = false
    /// When it was last used, in nanoseconds of uptime.
    @exclusivity(unchecked) private(set) var lastUse = DispatchTime.now().uptimeNanoseconds
    /// The thread that used it last.
    @exclusivity(unchecked) private(set) var lastThread: UInt = 0
    /// How many of the store's writes its server is known to have.
    var knownWrites: UInt64 = 0

    init(
        _ parameters: ConnectionParameters,
        _ configuration: PostgreSQLConfiguration,
        _ version: SQLSchemaVersion
    ) throws {
        connection = try PostgreSQLConnection(parameters, configuration)
        transaction = SQLTransaction(connection, version)
        let lifetime = configuration.maximumLifetime
        end = Deadline(after: lifetime - lifetime / 8 * Double.random(in: 0..<1))
    }

    /// Has it become too old after a duration from now on, unless it does before; once.
    func shorten(to lifetime: Duration) {
        if isShortened { return }
        isShortened = true
        end = min(end, Deadline(after: lifetime))
    }

    /// Whether the next unit of work may run on it, by a look at its socket.
    var isUsable: Bool { connection.isUsable && !end.hasPassed }

    /// Whether it may be leased: by a look at its socket, unless it was used a moment ago.
    ///
    /// A look costs a call of the system's for each unit of work. Should the server have hung up since,
    /// the unit's first statement finds out, and the unit runs again on another connection.
    var isLendable: Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        if now - min(now, lastUse) >= Self.trustedIdleTime { return isUsable }
        return connection.isIdle && !end.hasPassed(at: now)
    }

    private static let trustedIdleTime: UInt64 = 20_000_000

    /// Notes that a unit of work has ended, and returns whether it is worth keeping, as far as is known
    /// without a look at the socket.
    func endUse() -> Bool {
        lastUse = DispatchTime.now().uptimeNanoseconds
        lastThread = currentThread()
        return connection.isIdle && !end.hasPassed(at: lastUse)
    }

    func close() {
        transaction.close()
    }
}
