import DBClientCore

/// A request to end a statement, on its way.
final class CancelRequest: Sendable {
    private let deadline: Deadline
    private let ended = MonotonicSemaphore()

    init(_ limit: Duration) {
        deadline = Deadline(after: limit)
    }

    func end() {
        ended.signal()
    }

    /// Whether the request has come to an end, without waiting for that.
    var hasEnded: Bool { wait(nanoseconds: 0) }

    /// Waits until the server has heard, and returns whether it has in time.
    func wait() -> Bool { wait(nanoseconds: deadline.nanoseconds) }

    private func wait(nanoseconds: UInt64) -> Bool {
        guard ended.wait(nanoseconds: nanoseconds) else { return false }
        // The next caller must find the same.
        ended.signal()
        return true
    }
}
