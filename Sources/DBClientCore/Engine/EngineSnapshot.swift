/// A snapshot of a store that stays while it is held, across calls.
///
/// One thread reads it at a time; the snapshot sees to that.
public protocol EngineSnapshot: AnyObject, Sendable {
    /// Runs a body on the snapshot.
    ///
    /// - Returns: What the body returns; nil when the snapshot was let go.
    /// - Throws: `.closed` when the client was closed.
    func read<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value?

    /// Lets the snapshot go, once nobody reads it. Letting go twice does nothing.
    func release()
}

extension Engine {
    /// Nothing: the engine holds no snapshot across calls.
    public func openSnapshot() throws -> (any EngineSnapshot)? { nil }
}

extension DBClient {
    /// Opens a snapshot of the store behind this client, if its engine holds any.
    func openSnapshot() throws -> (any EngineSnapshot)? {
        if let client = self as? any EngineBackedClient { return try client.engine.openSnapshot() }
        if let decorator = self as? any DBClientDecorator {
            return try decorator.base.openSnapshot()
        }
        return nil
    }
}
