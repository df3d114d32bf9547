import DBClientCore
import Synchronization

/// The snapshots of a client that stay across calls: connections of its pool, each in a transaction of
/// its own.
///
/// At most half of the pool is leased this way. A caller that asks for more gets the oldest one, whose
/// former holder opens another when it reads again.
final class SnapshotLoans: Sendable {
    private struct Loan {
        weak var snapshot: PostgreSQLSnapshot?
    }

    private struct State {
        var loans: [Loan] = []
        var isClosed = false
    }

    private let pool: ConnectionPool
    private let limit: Int
    private let state = Mutex(State())

    init(_ pool: ConnectionPool) {
        self.pool = pool
        limit = pool.configuration.maximumConnections / 2
    }

    /// Opens a snapshot; nil when the pool is too small to lease a connection for long.
    func open() throws -> PostgreSQLSnapshot? {
        try checkOpen()
        guard limit > 0 else { return nil }
        takeBack(downTo: limit - 1)
        let session = try pool.sessionBlocking()
        do {
            try session.transaction.begin(.read)
        } catch {
            pool.give(session)
            throw error
        }
        let snapshot = PostgreSQLSnapshot(session, pool) { [weak self] in try self?.checkOpen() }
        let isTooLate = state.withLock { state in
            state.loans.append(Loan(snapshot: snapshot))
            return state.isClosed
        }
        if isTooLate { snapshot.release() }
        // Other callers may have opened theirs at the same time.
        takeBack(downTo: limit)
        return snapshot
    }

    /// Takes every snapshot back and leases no more.
    func close() {
        state.withLock { $0.isClosed = true }
        takeBack(downTo: 0)
    }

    private func checkOpen() throws {
        if state.withLock({ $0.isClosed }) {
            throw DBClientError(.closed, "The client was closed.")
        }
    }

    private func takeBack(downTo count: Int) {
        let oldest = state.withLock { state in
            state.loans.removeAll { $0.snapshot?.isHeld != true }
            let excess = max(state.loans.count - count, 0)
            defer { state.loans.removeFirst(excess) }
            return state.loans.prefix(excess).compactMap(\.snapshot)
        }
        for snapshot in oldest { snapshot.release() }
    }
}
