import DBClientCore
import Synchronization

extension ConnectionPool {
    /// Returns a connection, blocking the thread while there is none.
    func sessionBlocking() throws -> Session {
        if let grant = try request(nil) { return try session(grant) }
        let arrived = MonotonicSemaphore()
        let result = Mutex<Swift.Result<Grant, DBClientError>?>(nil)
        let waiter = Waiter { grant in
            result.withLock { $0 = grant }
            arrived.signal()
        }
        if let grant = try request(waiter) { return try session(grant) }
        let deadline = Deadline(after: configuration.poolTimeout)
        if !arrived.wait(nanoseconds: deadline.nanoseconds) {
            if withdraw(waiter) { throw Self.exhausted }
            arrived.wait()
        }
        guard let grant = try result.withLock({ try $0?.get() }) else { throw Self.exhausted }
        return try session(grant)
    }

    /// Returns what the connections read and write.
    func store() throws -> StoreIdentity {
        let session = try sessionBlocking()
        defer { give(session) }
        return session.connection.store
    }

    /// Returns a grant of a connection, suspending the task while there is none.
    func grant(_ cancellation: UnitCancellation) async throws -> Grant {
        try await withCheckedThrowingContinuation { continuation in
            let waiter = Waiter(until: Deadline(after: configuration.poolTimeout)) {
                continuation.resume(with: $0)
            }
            do {
                if let grant = try request(waiter) {
                    return continuation.resume(returning: grant)
                }
            } catch {
                return continuation.resume(throwing: error)
            }
            // The thread that takes the waiter out of the queue resumes it.
            cancellation.onCancel { [weak self] in
                guard let self, withdraw(waiter) else { return }
                waiter.grant(.failure(UnitCancellation.error))
            }
        }
    }

    /// Returns the connection of a grant.
    func session(_ grant: Grant) throws -> Session {
        switch grant {
        case .session(let session):
            if session.isLendable { return session }
            // The connection died while it was idle; a new one takes its place.
            session.close()
            return try open()
        case .permit: return try open()
        case .none: throw Self.exhausted
        }
    }

    static let exhausted = DBClientError(
        .busy,
        "Every connection is in use.",
        hint: "End transactions sooner, or allow for more connections."
    )
}
