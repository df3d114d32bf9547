extension DBClient {
    /// Returns the values of a request and then each change to them, exact and in commit order.
    ///
    /// ```swift
    /// for try await change in client.observe(marvel) {
    ///     switch change {
    ///     case .initial(let heroes): show(heroes)
    ///     case .update(let changes): apply(changes)
    ///     }
    /// }
    /// ```
    ///
    /// ``ChangeStream`` describes what is delivered when, and ``ChangeSet`` what the positions mean.
    /// Observers of equal requests share their work.
    public func observe<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> ChangeStream<Request.Model> {
        ChangeStream(source: observation, request: request.request)
    }
}
