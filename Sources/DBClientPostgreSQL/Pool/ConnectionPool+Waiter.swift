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

    /// A caller that waits.
    final class Waiter: Sendable {
        /// When it is told that it has waited long enough; nil where it sees to that itself.
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
