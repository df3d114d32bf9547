import Synchronization

/// The newest value for one observer, and what it last got.
final class ValueMailbox<Value: Sendable>: Sendable {
    private struct State {
        var delivered: Value?
        var waiting: Value?
        var failure: DBClientError?
        var isEnded = false
        var reader: CheckedContinuation<Value?, any Error>?
    }

    private let state = Mutex(State())
    private let isSame: @Sendable (Value, Value) -> Bool

    init(_ isSame: @escaping @Sendable (Value, Value) -> Bool) {
        self.isSame = isSame
    }

    /// Hands a value over unless the observer has it.
    func put(_ value: Value) {
        let reader = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
            if state.isEnded { return nil }
            if let delivered = state.delivered, isSame(delivered, value) {
                state.waiting = nil
                return nil
            }
            guard let reader = state.reader else {
                state.waiting = value
                return nil
            }
            state.reader = nil
            state.delivered = value
            return reader
        }
        reader?.resume(returning: value)
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
                    state.reader = continuation
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
        let reader = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
            if state.isEnded { return nil }
            let reader = state.reader
            state = State(failure: reader == nil ? error : nil, isEnded: true)
            return reader
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
    }
}
