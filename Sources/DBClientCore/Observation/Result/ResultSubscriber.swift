import Synchronization

/// One observer of a result: what it last got, and what is there now.
///
/// A slow observer costs two versions, which share what they have in common, whatever happens between
/// them: what it missed is found when it asks, by comparing the two.
final class ResultSubscriber: Sendable {
    private struct State {
        var delivered: ResultVersion?
        var current: ResultVersion?
        var failure: DBClientError?
        var isEnded = false
        var waiter: UnsafeContinuation<ResultStep?, any Error>?
    }

    let engine: any Engine
    let identity: ObserverIdentity
    /// Kept open while it is observed.
    let client: any DBClient
    private let state = Mutex(State())

    init(engine: any Engine, client: any DBClient, identity: ObserverIdentity) {
        self.engine = engine
        self.client = client
        self.identity = identity
    }

    /// Returns what changed since the last call, waiting for it; nil when the observation was cancelled.
    func next() async throws -> ResultStep? {
        if let step = try state.withLock({ try Self.take(&$0) }) { return step }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<ResultStep?, any Error>? in
                    do {
                        if let step = try Self.take(&state) { return .success(step) }
                    } catch {
                        return .failure(error)
                    }
                    if state.isEnded || Task.isCancelled { return .success(nil) }
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            finish(nil)
        }
    }

    private static func take(_ state: inout State) throws -> ResultStep? {
        if let failure = state.failure {
            state.failure = nil
            throw failure
        }
        guard !state.isEnded, let current = state.current, current !== state.delivered else {
            return nil
        }
        defer { state.delivered = current }
        return ResultStep(old: state.delivered, new: current)
    }

    /// Shows the observer a new version.
    func show(_ version: ResultVersion) {
        let (waiter, step) = state.withLock {
            state -> (UnsafeContinuation<ResultStep?, any Error>?, ResultStep?) in
            if state.isEnded { return (nil, nil) }
            state.current = version
            guard let waiter = state.waiter else { return (nil, nil) }
            state.waiter = nil
            let step = ResultStep(old: state.delivered, new: version)
            state.delivered = version
            return (waiter, step)
        }
        waiter?.resume(returning: step)
    }

    /// Shows a version to an observer that was shown none yet.
    func showFirst(_ version: ResultVersion) {
        if state.withLock({ $0.current == nil }) { show(version) }
    }

    /// Takes what is shown for delivered, for observers of changes alone.
    func begin() {
        state.withLock { state in
            if state.delivered == nil { state.delivered = state.current }
        }
    }

    /// Passes over a change that the observer made itself, as far as it is all that is new to it.
    func skip(from old: ResultVersion, to new: ResultVersion) {
        let isSkipped = state.withLock { state in
            guard state.delivered === old else { return false }
            state.delivered = new
            state.current = new
            return true
        }
        if !isSkipped { show(new) }
    }

    /// Ends the observation with an error.
    func end(_ error: DBClientError) {
        finish(error)
    }

    /// Ends the observation without an error.
    func cancel() {
        finish(nil)
    }

    private func finish(_ error: DBClientError?) {
        let waiter = state.withLock { state -> UnsafeContinuation<ResultStep?, any Error>? in
            if state.isEnded { return nil }
            let waiter = state.waiter
            state = State(failure: waiter == nil ? error : nil, isEnded: true)
            return waiter
        }
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: nil) }
    }
}

/// The version that an observer had, and the one that it gets.
struct ResultStep: Sendable {
    /// The version that the observer had; nil for the first.
    let old: ResultVersion?
    let new: ResultVersion
}

extension ResultVersion {
    /// Whether a change at a key can be seen: it is not after the last row of a visible range that is full.
    func shows(_ key: OrderKey) -> Bool {
        guard range.upperBound < tree.count, !range.isEmpty else { return true }
        return key <= tree[range.upperBound - 1].key
    }
}
