import CLibPQ
import DBClientCore
import Dispatch
import Foundation
import Synchronization

/// A means to end, from another thread, the statement that a connection runs.
///
/// It is used only while the connection is.
final class Canceller: @unchecked Sendable {
    // Written once; libpq allows for its use by any thread.
    private let handle: OpaquePointer?
    private let socket: Int32
    /// How long the server has to hear a request and to end the statement.
    let limit: Duration

    init(_ link: Link, limit: Duration) {
        handle = PQgetCancel(link.handle)
        socket = PQsocket(link.handle)
        self.limit = limit
    }

    deinit {
        PQfreeCancel(handle)
    }

    /// Asks the server to end the statement, on a thread of its own: libpq waits without a limit until the
    /// server has heard.
    func request() -> CancelRequest {
        let request = CancelRequest(limit)
        let thread = Thread { [self] in
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &message, Int32(message.count))
            request.end()
        }
        thread.name = "DBClientPostgreSQL.cancel"
        thread.stackSize = 1 << 19
        thread.start()
        return request
    }

    /// Hangs up, so that whoever waits for the server finds the connection lost.
    fileprivate func hangUp() {
        shutdown(socket, Int32(SHUT_RDWR))
    }
}

/// A request to end a statement, on its way.
final class CancelRequest: Sendable {
    private let deadline: Deadline
    private let ended = DispatchSemaphore(value: 0)

    fileprivate init(_ limit: Duration) {
        deadline = Deadline(after: limit)
    }

    fileprivate func end() {
        ended.signal()
    }

    /// Whether the server has heard.
    fileprivate var hasEnded: Bool { wait(until: .now()) }

    /// Waits until the server has heard, and returns whether it has in time.
    func wait() -> Bool { wait(until: deadline.dispatchTime) }

    private func wait(until time: DispatchTime) -> Bool {
        guard ended.wait(timeout: time) == .success else { return false }
        // Whoever asks next shall find the same.
        ended.signal()
        return true
    }
}

/// What becomes of a unit of work when its task is cancelled.
final class UnitCancellation: Sendable {
    private enum Action {
        case call(@Sendable () -> Void)
        case end(Canceller)
    }

    private struct State {
        var isCancelled = false
        var action: Action?
        var request: CancelRequest?
    }

    private let state = Mutex(State())

    static let error = DBClientError(.cancelled, "The task was cancelled; nothing was written.")

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sets what is done when the task is cancelled, or does it when it was.
    func onCancel(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.action = .call(action) }
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    /// Has statements of a connection end when the task is cancelled, until that is disarmed.
    ///
    /// - Returns: False when the task was cancelled.
    func arm(_ canceller: Canceller) -> Bool {
        state.withLock { state in
            if state.isCancelled { return false }
            state.action = .end(canceller)
            return true
        }
    }

    /// Forgets what is done, and waits for a request under way, so that it never ends another unit's
    /// statement.
    ///
    /// - Returns: False when the server has not heard the request in time. It may hear it whenever it likes,
    ///   so the connection must not be used any more.
    func disarm() -> Bool {
        let request = state.withLock { state in
            defer {
                state.action = nil
                state.request = nil
            }
            return state.request
        }
        return request?.wait() ?? true
    }

    /// Forgets what is done, unless a request is under way, which `disarm` waits for.
    ///
    /// - Returns: Whether none is.
    func disarmAtOnce() -> Bool {
        state.withLock { state in
            if state.request != nil { return false }
            state.action = nil
            return true
        }
    }

    func cancel() {
        let call = state.withLock { state -> (@Sendable () -> Void)? in
            state.isCancelled = true
            defer { state.action = nil }
            switch state.action {
            case .call(let call): return call
            case .end(let canceller):
                let request = canceller.request()
                state.request = request
                insist(canceller, after: request, until: Deadline(after: canceller.limit))
            case nil: break
            }
            return nil
        }
        call?()
    }

    /// Asks again while a statement goes on that was asked to end, and hangs up in the end: the server forgets a
    /// request that comes before it has begun with the statement.
    private func insist(_ canceller: Canceller, after request: CancelRequest, until end: Deadline) {
        let moment = min(end.dispatchTime, .now() + Self.patience)
        DispatchQueue.global().asyncAfter(deadline: moment) { [self] in
            // Under the lock: the connection is this unit's until it is disarmed.
            let next = state.withLock { state -> CancelRequest? in
                guard state.request === request else { return nil }
                if end.hasPassed {
                    canceller.hangUp()
                    return nil
                }
                // One at a time, so that whoever disarms knows of all of them.
                let next = request.hasEnded ? canceller.request() : request
                state.request = next
                return next
            }
            if let next { insist(canceller, after: next, until: end) }
        }
    }

    /// How long a statement that was asked to end may go on until it is asked again.
    private static let patience = DispatchTimeInterval.milliseconds(200)
}
