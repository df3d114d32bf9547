extension DBClient {
    /// Calls a closure on the main actor with the values of a request, and then with each change.
    ///
    /// ```swift
    /// token = client.observe(marvel, onFailure: show) { change in
    ///     switch change {
    ///     case .initial(let heroes): view.show(heroes)
    ///     case .update(let changes): view.apply(changes.batchUpdates)
    ///     }
    /// }
    /// ```
    ///
    /// ``ChangeStream`` describes what is delivered when. While the closure runs, further changes are
    /// gathered into one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - onFailure: Called once when an error has ended the observation: what is shown is old from
    ///     then on.
    ///   - handler: Called with each change.
    /// - Returns: What keeps the observation going; keep it as long as the closure is to be called.
    public func observe<Request: FetchRequestConvertible>(
        _ request: Request,
        onFailure: @escaping @MainActor @Sendable (DBClientError) -> Void,
        _ handler: @escaping @MainActor @Sendable (Change<Request.Model>) -> Void
    ) -> ObservationToken {
        observe(request).deliver(onFailure: onFailure, handler)
    }

    /// Unavailable: an observation can fail, and then shows old values.
    @available(
        *,
        unavailable,
        message: "say what a failure does: 'observe(request, onFailure: …) { … }'"
    )
    public func observe<Request: FetchRequestConvertible>(
        _ request: Request,
        _ handler: @escaping @MainActor @Sendable (Change<Request.Model>) -> Void
    ) -> ObservationToken {
        observe(request).deliver(onFailure: { _ in }, handler)
    }

    /// Calls a closure on an actor with the values of a request, and then with each change.
    ///
    /// As ``observe(_:onFailure:_:)``, but isolated to a given actor, which is not kept alive by the
    /// observation alone longer than a call lasts.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - actor: The actor on which the closures are called.
    ///   - onFailure: Called once when an error has ended the observation: what is shown is old from
    ///     then on.
    ///   - handler: Called with each change.
    /// - Returns: What keeps the observation going; keep it as long as the closure is to be called.
    public func observe<Request: FetchRequestConvertible, Listener: Actor>(
        _ request: Request,
        on actor: Listener,
        onFailure: @escaping @Sendable (isolated Listener, DBClientError) -> Void,
        _ handler: @escaping @Sendable (isolated Listener, Change<Request.Model>) -> Void
    ) -> ObservationToken {
        observe(request).deliver(on: actor, onFailure: onFailure, handler)
    }
}
