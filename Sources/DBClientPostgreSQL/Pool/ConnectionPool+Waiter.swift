import DBClientCore

extension ConnectionPool {
    /// Where a connection comes from.
    enum Grant: Sendable {
        case session(Session)
        /// The caller opens one itself.
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
