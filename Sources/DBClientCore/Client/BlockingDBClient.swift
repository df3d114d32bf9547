/// A client's calls for code that cannot await: the same names and meanings, blocking the calling
/// thread until the call is done.
///
/// ```swift
/// try client.blocking.insert(ironMan)
/// ```
///
/// Inside a transaction of the same client on the same thread a call joins that transaction. Do not
/// block a thread of the cooperative pool for long: in asynchronous code, use the client itself.
public struct BlockingDBClient: WriteCalls, Sendable {
    @usableFromInline let client: any DBClient

    /// Runs a body on one snapshot of the store.
    ///
    /// The body must not keep the transaction.
    public func read<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value {
        try client.readBlocking(body)
    }

    /// Runs a body as one atomic, serialisable unit, durable when the call returns.
    ///
    /// The body must not keep the transaction. A throwing body is rolled back. Inside a write of the
    /// same client on the same thread it is a savepoint of that one.
    @discardableResult
    public func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        try client.writeBlocking(body)
    }

    /// Runs a body on one snapshot of the store, or on less where it makes one call.
    public func reading<Value>(
        asOneCall isOneCall: Bool,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        isOneCall ? try client.readOnceBlocking(body) : try client.readBlocking(body)
    }

    /// Runs a body as one atomic unit, or as less where it makes one call.
    @discardableResult
    public func writing<Value>(
        asOneCall isOneCall: Bool,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        isOneCall ? try client.writeOnceBlocking(body) : try client.writeBlocking(body)
    }

    /// Releases the store; later calls throw `.closed`.
    public func close() throws {
        try client.close()
    }
}

extension DBClient {
    /// The client's calls in a form that blocks the calling thread.
    public var blocking: BlockingDBClient { BlockingDBClient(client: self) }
}
