extension DBClient {
    /// Returns the value with a primary key, nil while there is none, and then each other value that it
    /// takes.
    ///
    /// ```swift
    /// for try await hero in client.observe(Character.self, key: 1455) { show(hero) }
    /// ```
    public func observe<Model: StoredConvertible>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) -> ValueStream<Model?> {
        let changes = observe(Model.with(key: key))
        return ValueStream(
            upkeep: { try Upkeep.ofValues(changes.request) },
            begin: { FirstValue(changes) }
        )
    }

    /// Returns the number of values of a request, its limit and offset applied, and then each other
    /// number.
    ///
    /// Observers of one condition share their work.
    public func observeCount<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> ValueStream<Int> {
        let source = observation
        let request = request.request
        return ValueStream(
            upkeep: { try Upkeep.ofCount(request) },
            begin: { try await source.count(request) }
        )
    }

    /// Returns whether a request has any value, and then each change of that.
    ///
    /// ```swift
    /// for try await hasMail in client.observeExists(Message.where { !$0.isRead }) { badge.isHidden = !hasMail }
    /// ```
    ///
    /// The values are counted once, and commits change the number by their own values. Observers of the number share it. A
    /// commit that leaves some value, or none, tells nothing.
    public func observeExists<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> ValueStream<Bool> {
        let source = observation
        let request = request.request
        return ValueStream(
            upkeep: { try Upkeep.ofCount(request) },
            begin: { ExistenceValue(try await source.count(request, upTo: 1)) }
        )
    }

    /// Returns what a read finds, and then each other value that it finds when values of a request were
    /// written.
    ///
    /// ```swift
    /// let isCrowded = client.observe(villains) { try $0.count(villains) > 100 }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The values of which any that is written may change what is read.
    ///   - read: Reads the value in a transaction; called again after each commit that wrote values of
    ///     the request, or once for several.
    /// - Returns: The values that it takes.
    public func observe<Request: FetchRequestConvertible, Value: Equatable & Sendable>(
        _ request: Request,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) -> ValueStream<Value> {
        let source = observation
        let request = request.request
        return ValueStream { try await source.value(request, read) }
    }
}
