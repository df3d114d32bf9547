import Dispatch

/// A request to end a statement, on its way.
final class CancelRequest: Sendable {
    private let deadline: Deadline
    private let ended = DispatchSemaphore(value: 0)

    init(_ limit: Duration) {
        deadline = Deadline(after: limit)
    }

    func end() {
        ended.signal()
    }

    /// Whether the request has come to an end, without waiting for that.
    var hasEnded: Bool { wait(until: .now()) }

    /// Waits until the server has heard, and returns whether it has in time.
    func wait() -> Bool { wait(until: deadline.dispatchTime) }

    private func wait(until time: DispatchTime) -> Bool {
        guard ended.wait(timeout: time) == .success else { return false }
        // The next caller must find the same.
        ended.signal()
        return true
    }
}
