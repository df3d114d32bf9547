extension DBClient {
    /// Returns the rows of a request by stored names, and then all of them again whenever they have changed.
    ///
    /// ```swift
    /// for try await rows in client.observeRows(DynamicRequest(heroes)) { show(rows) }
    /// ```
    ///
    /// The rows are read again after each commit that wrote rows of the request, or once for several, so it is for a
    /// tool that shows some thousand of them.
    public func observeRows(_ request: DynamicRequest) -> ValueStream<[DynamicRow]> {
        let source = observation
        return ValueStream { try await source.rows(of: request) }
    }
}
