// Closures in place of loops, for whatever is observed. A failure has ended the observation, so there is
// always a closure that is told.

extension ValueStream {
    /// Calls a closure on the main actor with the value, and then with each other one.
    ///
    /// ```swift
    /// token = client.observeCount(villains).deliver(onFailure: show) { label.text = "\($0)" }
    /// ```
    ///
    /// - Parameters:
    ///   - onFailure: Called once when an error has ended the observation.
    ///   - handler: Called with each value.
    /// - Returns: What keeps the observation going; keep it as long as the closure is to be called. No write
    ///   passes it over.
    public func deliver(
        onFailure: @escaping @MainActor @Sendable (DBClientError) -> Void,
        _ handler: @escaping @MainActor @Sendable (Value) -> Void
    ) -> ObservationToken {
        delivery(as: ObserverIdentity(), onFailure, handler)
    }

    /// Calls a closure on an actor with the value, and then with each other one.
    ///
    /// The observation does not keep the actor alive longer than a call lasts.
    ///
    /// - Parameters:
    ///   - actor: The actor on which the closures are called.
    ///   - onFailure: Called once when an error has ended the observation.
    ///   - handler: Called with each value.
    /// - Returns: What keeps the observation going; keep it as long as the closure is to be called. No write
    ///   passes it over.
    public func deliver<Listener: Actor>(
        on actor: Listener,
        onFailure: @escaping @Sendable (isolated Listener, DBClientError) -> Void,
        _ handler: @escaping @Sendable (isolated Listener, Value) -> Void
    ) -> ObservationToken {
        delivery(as: ObserverIdentity(), on: actor, onFailure, handler)
    }
}

extension ChangeStream {
    /// Calls a closure on the main actor with the values, and then with each change.
    ///
    /// ```swift
    /// token = client.observe(marvel, fields: \.name).deliver(onFailure: show) { list.apply($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - onFailure: Called once when an error has ended the observation.
    ///   - handler: Called with each change.
    /// - Returns: What keeps the observation going; keep it as long as the closure is to be called.
    public func deliver(
        onFailure: @escaping @MainActor @Sendable (DBClientError) -> Void,
        _ handler: @escaping @MainActor @Sendable (Change<Model>) -> Void
    ) -> ObservationToken {
        delivery(as: identity, onFailure, handler)
    }

    /// Calls a closure on an actor with the values, and then with each change.
    ///
    /// The observation does not keep the actor alive longer than a call lasts.
    ///
    /// - Parameters:
    ///   - actor: The actor on which the closures are called.
    ///   - onFailure: Called once when an error has ended the observation.
    ///   - handler: Called with each change.
    /// - Returns: What keeps the observation going; keep it as long as the closure is to be called.
    public func deliver<Listener: Actor>(
        on actor: Listener,
        onFailure: @escaping @Sendable (isolated Listener, DBClientError) -> Void,
        _ handler: @escaping @Sendable (isolated Listener, Change<Model>) -> Void
    ) -> ObservationToken {
        delivery(as: identity, on: actor, onFailure, handler)
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    fileprivate func delivery(
        as identity: ObserverIdentity,
        _ onFailure: @escaping @MainActor @Sendable (DBClientError) -> Void,
        _ handler: @escaping @MainActor @Sendable (Element) -> Void
    ) -> ObservationToken {
        delivery(as: identity) { error in
            await MainActor.run { if !Task.isCancelled { onFailure(error) } }
        } handler: { element in
            await MainActor.run { if !Task.isCancelled { handler(element) } }
        }
    }

    fileprivate func delivery<Listener: Actor>(
        as identity: ObserverIdentity,
        on actor: Listener,
        _ onFailure: @escaping @Sendable (isolated Listener, DBClientError) -> Void,
        _ handler: @escaping @Sendable (isolated Listener, Element) -> Void
    ) -> ObservationToken {
        delivery(as: identity) { [weak actor] error in
            if let actor { await callUnlessCancelled(onFailure, on: actor, error) }
        } handler: { [weak actor] element in
            if let actor { await callUnlessCancelled(handler, on: actor, element) }
        }
    }

    private func delivery(
        as identity: ObserverIdentity,
        onFailure: @escaping @Sendable (DBClientError) async -> Void,
        handler: @escaping @Sendable (Element) async -> Void
    ) -> ObservationToken {
        let task = Task {
            do {
                for try await element in self { await handler(element) }
            } catch {
                await onFailure(.wrapping(error))
            }
        }
        return ObservationToken(identity, task)
    }
}

/// Calls a closure on its actor, unless the token was cancelled while it waited for that.
private func callUnlessCancelled<Value: Sendable, Listener: Actor>(
    _ body: (isolated Listener, Value) -> Void,
    on actor: isolated Listener,
    _ value: Value
) {
    if !Task.isCancelled { body(actor, value) }
}
