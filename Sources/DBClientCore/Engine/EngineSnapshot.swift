/// A snapshot of a store that stays while it is held, across calls.
///
/// One thread reads it at a time; the snapshot sees to that.
public protocol EngineSnapshot: AnyObject, Sendable {
    /// Runs a body on the snapshot.
    ///
    /// - Returns: What the body returns; nil when the snapshot was released.
    /// - Throws: `.closed` when the client was closed.
    func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value?

    /// Runs a body without a result on the snapshot, and returns whether the snapshot is still open.
    ///
    /// The default calls ``read(_:)``. It is for what is called for each value, where a result of any
    /// type costs more than the call.
    ///
    /// - Throws: `.closed` when the client was closed.
    func visit(_ body: (any EngineReader) throws -> Void) throws -> Bool

    /// Releases the snapshot, once its last reader has ended. Releasing it twice does nothing.
    func release()
}

extension EngineSnapshot {
    /// Runs a body without a result on the snapshot, and returns whether the snapshot is still open.
    ///
    /// - Throws: `.closed` when the client was closed.
    public func visit(_ body: (any EngineReader) throws -> Void) throws -> Bool {
        try read(body) != nil
    }
}

extension DBClient {
    /// Opens a snapshot of the store behind this client, if its engine holds any, with what the decorators put
    /// between it and what reads it.
    func openSnapshot() throws -> (
        snapshot: any EngineSnapshot, interceptors: [any TransactionInterceptor & Sendable]
    )? {
        if let client = self as? any EngineBackedClient {
            return try client.engine.openSnapshot().map { ($0, []) }
        }
        guard let decorator = self as? any DBClientDecorator,
            let (snapshot, interceptors) = try decorator.base.openSnapshot()
        else { return nil }
        return (snapshot, [decorator.interceptor(isWrite: false)].compactMap(\.self) + interceptors)
    }

    /// The type of the client behind all decorators that has an engine; it knows how the engine keeps models.
    var engineClientType: any EngineBackedClient.Type {
        if let client = self as? any EngineBackedClient { return type(of: client) }
        return (self as? any DBClientDecorator)?.base.engineClientType ?? NoEngineClient.self
    }
}

/// Stands for the type of a client where there is none of an engine; it keeps each model as its `Storage`.
private struct NoEngineClient: EngineBackedClient {
    let engine: any Engine
}
