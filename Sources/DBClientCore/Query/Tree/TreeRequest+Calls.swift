// The calls that take a request for a tree.
extension ReadCalls {
    /// Returns the values of a tree with their depth, in the request's order.
    ///
    /// - Throws: `DBClientError` for whatever is wrong with the request, `.constraintViolation` for a circle that the
    ///   request refuses, `.decoding` when a stored value does not fit the model.
    public func fetch<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) throws -> [TreeNode<Model>] {
        try reading(asOneCall: request.isOneCall) { try request.nodes(in: $0) }
    }

    /// Returns the number of values of a tree, its limit and offset applied.
    public func count<Model: StoredConvertible>(_ request: TreeRequest<Model>) throws -> Int {
        try count(request.request)
    }

    /// Returns whether a tree has any value.
    public func exists<Model: StoredConvertible>(_ request: TreeRequest<Model>) throws -> Bool {
        try exists(request.request)
    }

    /// Describes how the engine would walk a tree, for a person.
    public func explain<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) throws -> String {
        try explain(request.request)
    }
}

extension DBClient {
    /// Returns the values of a tree with their depth, in the request's order.
    ///
    /// - Throws: `DBClientError` for whatever is wrong with the request, `.constraintViolation` for a circle that the
    ///   request refuses, `.decoding` when a stored value does not fit the model.
    public func fetch<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) async throws -> [TreeNode<Model>] {
        guard request.isOneCall else { return try await read { try $0.fetch(request) } }
        return try await readOnce { try $0.fetch(request) }
    }

    /// Returns the number of values of a tree, its limit and offset applied.
    public func count<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) async throws -> Int {
        try await count(request.request)
    }

    /// Returns whether a tree has any value.
    public func exists<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) async throws -> Bool {
        try await exists(request.request)
    }

    /// Describes how the engine would walk a tree, for a person.
    public func explain<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) async throws -> String {
        try await explain(request.request)
    }

    /// Returns the values of a tree with their depth, and then again whenever one is another.
    ///
    /// The tree is read again after each commit that wrote values of the model, or once for several.
    public func observe<Model: StoredConvertible & Equatable>(
        _ request: TreeRequest<Model>
    ) -> ValueStream<[TreeNode<Model>]> {
        observe(request) { try $0.fetch(request) }
    }

    /// Returns what a read finds, and then each other value that it finds when values of a tree's model were written.
    ///
    /// - Parameters:
    ///   - request: The tree of whose model any value that is written may change what is read.
    ///   - read: Reads the value in a transaction; called again after each commit that wrote such values, or once for
    ///     several.
    /// - Returns: The values that it takes.
    public func observe<Model: StoredConvertible, Value: Equatable & Sendable>(
        _ request: TreeRequest<Model>,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Value
    ) -> ValueStream<Value> {
        observe(request.request, read)
    }
}

extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that fetches the values of a tree with their depth.
    public static func fetch<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) -> Self where Value == [TreeNode<Model>] {
        Self { try $0.fetch(request) }
    }

    /// Returns the operation that counts the values of a tree.
    public static func count<Model: StoredConvertible>(
        _ request: TreeRequest<Model>
    ) -> Self where Value == Int {
        Self { try $0.count(request) }
    }
}
