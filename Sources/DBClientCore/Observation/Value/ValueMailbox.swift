import Synchronization

/// The newest value for one observer, and what it last got.
final class ValueMailbox<Value: Sendable>: Sendable {
    private struct State {
        var delivered: Value?
        var waiting: Value?
        var failure: DBClientError?
        var isEnded = false
        var waiter: CheckedContinuation<Value?, any Error>?
    }

    private let state = Mutex(State())
    private let isSame: @Sendable (Value, Value) -> Bool

    init(_ isSame: @escaping @Sendable (Value, Value) -> Bool) {
        self.isSame = isSame
    }

    /// Delivers a value unless the observer has it.
    func put(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
            if state.isEnded { return nil }
            if let delivered = state.delivered, isSame(delivered, value) {
                state.waiting = nil
                return nil
            }
            guard let waiter = state.waiter else {
                state.waiting = value
                return nil
            }
            state.waiter = nil
            state.delivered = value
            return waiter
        }
        waiter?.resume(returning: value)
    }

    /// Returns the next value, waiting for it; nil when the observation was cancelled.
    func next() async throws -> Value? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Value?, any Error>? in
                    if let failure = state.failure {
                        state.failure = nil
                        return .failure(failure)
                    }
                    if state.isEnded || Task.isCancelled { return .success(nil) }
                    if let value = state.waiting {
                        state.waiting = nil
                        state.delivered = value
                        return .success(value)
                    }
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            end(nil)
        }
    }

    /// Ends the observation, with an error if there is one.
    func end(_ error: DBClientError?) {
        let waiter = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
            if state.isEnded { return nil }
            let waiter = state.waiter
            state = State(failure: waiter == nil ? error : nil, isEnded: true)
            return waiter
        }
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: nil) }
    }
}
