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
