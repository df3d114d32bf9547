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
            { await handler($0) },
            onFailure: { error in await onFailure?(error) }
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
            { [weak actor] change in if let actor { await handler(actor, change) } },
            onFailure: { [weak actor] error in
                if let actor { await onFailure?(actor, error) }
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
                for try await change in self {
                    if Task.isCancelled { return }
                    await handler(change)
                }
            } catch {
                if !Task.isCancelled { await onFailure(.wrapping(error)) }
            }
        }
        return ObservationToken(identity, task)
    }
}
