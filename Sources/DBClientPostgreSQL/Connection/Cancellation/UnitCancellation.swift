import DBClientCore
import Dispatch
import Synchronization

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

    /// Asks again while a cancelled statement continues, and closes the socket in the end: the server forgets a
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
                // One at a time, so that the thread that disarms it knows of all of them.
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
