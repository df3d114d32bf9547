extension DBClient {
    /// Calls a closure on the main actor with the values of a request, and then with each change.
    ///
    /// ```swift
    /// token = client.observe(marvel) { change in
    ///     switch change {
    ///     case .initial(let heroes): view.show(heroes)
    ///     case .update(let changes): view.apply(changes.batchUpdates)
    ///     }
    /// }
    /// ```
    ///
    /// What is delivered when is told by ``ChangeStream``. While the closure runs, further changes are
    /// gathered into one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - onFailure: Called once when an error has ended the observation.
    ///   - handler: Called with each change.
    /// - Returns: What keeps the observation going; keep it as long as the closure shall be called.
    public func observe<Request: FetchRequestConvertible>(
        _ request: Request,
        onFailure: (@MainActor @Sendable (DBClientError) -> Void)? = nil,
        _ handler: @escaping @MainActor @Sendable (Change<Request.Model>) -> Void
    ) -> ObservationToken {
        observe(request).deliver(
            { await callUnlessCancelled(handler, $0) },
            onFailure: { error in
                if let onFailure { await callUnlessCancelled(onFailure, error) }
            }
        )
    }

    /// Calls a closure on an actor with the values of a request, and then with each change.
    ///
    /// As ``observe(_:onFailure:_:)``, but isolated to an actor of one's own, which is not kept alive by
    /// the observation alone longer than a call lasts.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - actor: The actor on which the closures are called.
    ///   - onFailure: Called once when an error has ended the observation.
    ///   - handler: Called with each change.
    /// - Returns: What keeps the observation going; keep it as long as the closure shall be called.
    public func observe<Request: FetchRequestConvertible, Listener: Actor>(
        _ request: Request,
        on actor: Listener,
        onFailure: (@Sendable (isolated Listener, DBClientError) -> Void)? = nil,
        _ handler: @escaping @Sendable (isolated Listener, Change<Request.Model>) -> Void
    ) -> ObservationToken {
        observe(request).deliver(
            { [weak actor] change in
                if let actor { await callUnlessCancelled(handler, on: actor, change) }
            },
            onFailure: { [weak actor] error in
                if let actor, let onFailure {
                    await callUnlessCancelled(onFailure, on: actor, error)
                }
            }
        )
    }
}

extension ChangeStream {
    /// Calls a closure with each change, until the token is cancelled or let go.
    func deliver(
        _ handler: @escaping @Sendable (Change<Model>) async -> Void,
        onFailure: @escaping @Sendable (DBClientError) async -> Void
    ) -> ObservationToken {
        let task = Task {
            do {
                for try await change in self { await handler(change) }
            } catch {
                await onFailure(.wrapping(error))
            }
        }
        return ObservationToken(identity, task)
    }
}

// The token may be cancelled while a call waits for its actor.

@MainActor
private func callUnlessCancelled<Value: Sendable>(
    _ body: @MainActor (Value) -> Void,
    _ value: Value
) {
    if !Task.isCancelled { body(value) }
}

private func callUnlessCancelled<Value: Sendable, Listener: Actor>(
    _ body: (isolated Listener, Value) -> Void,
    on actor: isolated Listener,
    _ value: Value
) {
    if !Task.isCancelled { body(actor, value) }
}
