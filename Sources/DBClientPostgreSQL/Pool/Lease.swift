import DBClientCore

/// A connection leased to a unit of work, and replaced when it is lost.
struct Lease {
    private(set) var session: Session?
    private var pool: ConnectionPool
    private var other: ConnectionPool?

    /// Takes a connection of a pool, to be replaced by one of the same or of another pool.
    init(_ session: Session, _ pool: ConnectionPool, otherwise other: ConnectionPool? = nil) {
        self.session = session
        self.pool = pool
        self.other = other
    }

    /// Closes a lost connection and opens another.
    mutating func renew() throws {
        session?.close()
        // When opening fails, its place in the pool is free again.
        session = nil
        guard let other else {
            session = try pool.open()
            return
        }
        pool.giveUp()
        pool = other
        self.other = nil
        session = try pool.sessionBlocking()
    }

    mutating func end() {
        if let session { pool.give(session) }
        session = nil
    }
}
