import DBClientCore

extension ConnectionPool {
    /// What a caller that asked for a connection gets.
    enum Grant: Sendable {
        case session(Session)
        /// Room for one more connection, which the caller opens itself.
        case permit
        /// There is none; the caller takes one of another pool.
        case none
    }

    /// A caller that waits for a connection.
    final class Waiter: Sendable {
        /// When the pool refuses it for having waited too long; nil where it times out by itself.
        let deadline: Deadline?
        let grant: @Sendable (Swift.Result<Grant, DBClientError>) -> Void

        init(
            until deadline: Deadline? = nil,
            _ grant: @escaping @Sendable (Swift.Result<Grant, DBClientError>) -> Void
        ) {
            self.deadline = deadline
            self.grant = grant
        }
    }
}
