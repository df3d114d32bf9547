/// An observation that calls a closure: it lasts until the token is cancelled or released.
///
/// The token also stands for its observer in `write(withoutNotifying:)`.
public final class ObservationToken: Sendable {
    let identity: ObserverIdentity
    private let task: Task<Void, Never>

    init(_ identity: ObserverIdentity, _ task: Task<Void, Never>) {
        self.identity = identity
        self.task = task
    }

    deinit {
        task.cancel()
    }

    /// Ends the observation; the closure is not called again once this returns on the closure's actor.
    public func cancel() {
        task.cancel()
    }
}
