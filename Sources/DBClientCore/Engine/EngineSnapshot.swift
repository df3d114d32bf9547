/// A snapshot of a store that stays while it is held, across calls.
///
/// One thread reads it at a time; the snapshot sees to that.
public protocol EngineSnapshot: AnyObject, Sendable {
    /// Runs a body on the snapshot.
    ///
    /// - Returns: What the body returns; nil when the snapshot was let go.
    /// - Throws: `.closed` when the client was closed.
    func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value?

    /// Runs a body without a result on the snapshot, and returns whether the snapshot is there.
    ///
    /// The default calls ``read(_:)``. It is for what is called for each value, where a result of any
    /// type costs more than the call.
    ///
    /// - Throws: `.closed` when the client was closed.
    func visit(_ body: (any EngineReader) throws -> Void) throws -> Bool

    /// Lets the snapshot go, once nobody reads it. Letting go twice does nothing.
    func release()
}

extension EngineSnapshot {
    /// Runs a body without a result on the snapshot, and returns whether the snapshot is there.
    ///
    /// - Throws: `.closed` when the client was closed.
    public func visit(_ body: (any EngineReader) throws -> Void) throws -> Bool {
        try read(body) != nil
    }
}

extension Engine {
    /// Nothing: the engine holds no snapshot across calls.
    public func openSnapshot() throws -> (any EngineSnapshot)? { nil }
}

extension DBClient {
    /// Opens a snapshot of the store behind this client, if its engine holds any.
    ///
    /// What is read from it goes through the decorators, as in a transaction.
    func openSnapshot() throws -> (any EngineSnapshot)? {
        if let client = self as? any EngineBackedClient { return try client.engine.openSnapshot() }
        guard let decorator = self as? any DBClientDecorator,
            let snapshot = try decorator.base.openSnapshot()
        else { return nil }
        guard let interceptor = decorator.interceptor(isWrite: false) else { return snapshot }
        return InterceptedSnapshot(snapshot, interceptor)
    }

    /// The type of the client behind all decorators that has an engine; it knows the conversions of it.
    var engineClientType: any EngineBackedClient.Type {
        if let client = self as? any EngineBackedClient { return type(of: client) }
        return (self as? any DBClientDecorator)?.base.engineClientType ?? NoEngineClient.self
    }
}
