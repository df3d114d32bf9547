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
        return ValueStream(
            upkeep: { .readAgain(.dynamic) },
            begin: { try await source.rows(of: request) }
        )
    }

    /// Returns the groups of a request by stored names, and then all of them again whenever they have changed.
    public func observeGroups(_ request: DynamicGroupRequest) -> ValueStream<[DynamicGroup]> {
        observe(request.request) { try $0.fetch(request) }
    }

    /// Returns what a read finds, and then each other value that it finds when rows of a request by stored names were
    /// written.
    ///
    /// - Parameters:
    ///   - request: The rows of which any that is written may change what is read.
    ///   - read: Reads the value in a transaction; called again after each commit that wrote rows of the request, or
    ///     once for several.
    /// - Returns: The values that it takes.
    public func observe<Value: Equatable & Sendable>(
        _ request: DynamicRequest,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) -> ValueStream<Value> {
        let source = observation
        return ValueStream { try await source.value(request, read) }
    }

    /// Returns the number of rows of a request by stored names, its limit and offset applied, and then each other
    /// number.
    ///
    /// The rows are counted once; from then on commits change the number by their own rows where these alone decide.
    public func observeCount(_ request: DynamicRequest) -> ValueStream<Int> {
        // Of joined rows, rows of one entity decide nothing.
        if !request.entity.isStored { return observe(request) { try $0.count(request) } }
        let source = observation
        return ValueStream(
            upkeep: { Upkeep(ofNumberOf: try request.rowQuery()) },
            begin: { try await source.count(request) }
        )
    }
}
