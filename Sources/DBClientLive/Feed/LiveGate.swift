import Synchronization

/// Holds what follows the store while nothing is shown.
final class LiveGate: Sendable {
    private struct State {
        var isClosed = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Lets nothing pass from now on.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Lets everything pass, what waits first.
    func open() {
        let waiters = state.withLock { state in
            state.isClosed = false
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open or the task is cancelled.
    func pass() async {
        guard state.withLock({ $0.isClosed }) else { return }
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.isClosed, !Task.isCancelled else { return false }
                    state.waiters[number] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
