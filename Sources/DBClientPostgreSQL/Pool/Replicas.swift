import DBClientCore
import DBClientSQL
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reading on servers that follow the primary one, without missing what was written before by the
/// clients of this process.
///
/// Where a replica does not have it in time, or cannot be reached, the primary is read.
final class Replicas: Sendable {
    let pool: ConnectionPool
    private let primary: ConnectionPool
    private let store: PostgreSQLStore
    /// A place in the primary's log that so many of the store's writes are before.
    private let place = Mutex<(writes: UInt64, location: String)>((0, ""))

    /// How long a connection to the primary replaces one to a replica that could not be reached: connecting
    /// may take `connectTimeout` for each that is away.
    private static let lifetimeWithoutReplica = Duration.seconds(60)

    init(_ primary: ConnectionPool, _ store: PostgreSQLStore) {
        var configuration = primary.configuration
        configuration.minimumConnections = 0
        pool = ConnectionPool(
            primary.parameters.preferringStandby,
            configuration,
            hasSubstitute: true
        )
        self.primary = primary
        self.store = store
    }

    /// Returns a connection for a unit that reads.
    func lease(_ session: () throws -> Session) throws -> Lease {
        if let session = try? session() {
            if (try? hasEverything(session)) == true {
                return Lease(session, pool, otherwise: primary)
            }
            pool.give(session)
        }
        return Lease(try primary.sessionBlocking(), primary)
    }

    /// Waits until the replica has every write that ended, and returns whether it does.
    private func hasEverything(_ session: Session) throws -> Bool {
        let writes = store.writes
        if session.knownWrites >= writes { return true }
        let connection = session.connection
        if connection.isStandby {
            let place = try place(after: writes)
            let timeout = primary.configuration.replicaTimeout
            let deadline = Deadline(after: timeout)
            // One that is frozen is not waited for as long as a statement may take.
            let hasPlace = try connection.waiting(atMost: timeout + .seconds(1)) {
                while try !connection.hasReplayed(place.location) {
                    if deadline.hasPassed { return false }
                    usleep(1_000)
                }
                return true
            }
            guard hasPlace else { return false }
            session.knownWrites = place.writes
        } else {
            // No other server was there, or it was promoted meanwhile. One may be there again soon.
            session.shorten(to: Self.lifetimeWithoutReplica)
            session.knownWrites = writes
        }
        return true
    }

    private func place(after writes: UInt64) throws -> (writes: UInt64, location: String) {
        let known = place.withLock { $0 }
        if known.writes >= writes { return known }
        let session = try primary.sessionBlocking()
        defer { primary.give(session) }
        let now = store.writes
        let place = (now, try session.connection.logLocation())
        self.place.withLock { if $0.writes < now { $0 = place } }
        return place
    }
}

extension PostgreSQLConnection {
    /// Returns the end of the server's log.
    fileprivate func logLocation() throws -> String {
        var location = ""
        try each("SELECT pg_catalog.pg_current_wal_insert_lsn()::text", []) { row in
            location = text(row[0])
        }
        return location
    }

    /// Whether a server that follows has come to a place in the log.
    fileprivate func hasReplayed(_ location: String) throws -> Bool {
        var isThere = false
        try each("SELECT pg_catalog.pg_last_wal_replay_lsn() >= $1::text::pg_lsn", [location]) {
            isThere = !$0[0].isNull && $0[0].integer != 0
        }
        return isThere
    }
}
