/// A client of a store of value types, independent of the engine.
///
/// Choose the engine where the client is constructed, and depend on `any DBClient` everywhere else:
///
/// ```swift
/// let client: any DBClient = try ObjectStoreDBClient(at: url)
/// try await client.insert(ironMan)
/// let heroes = try await client.fetch(Character.where { $0.power > 9000 })
/// ```
///
/// The four transaction calls, the source of observations and `close` are all that a client
/// implements; everything else is written once above them. Every error is a `DBClientError`, unless the
/// body of a transaction throws one of its own.
public protocol DBClient: RenamedCalls, Sendable {
    /// Runs a body on one snapshot of the store.
    ///
    /// The body is synchronous and must not keep the transaction.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value

    /// Runs a body that makes one call on the transaction.
    ///
    /// Where one statement is a snapshot by itself, the client may do without the transaction; the body may
    /// run again. By default it is ``read(_:)``.
    func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value

    /// Runs a body that makes one call on the transaction, blocking the calling thread.
    ///
    /// By default it is ``readBlocking(_:)``.
    func readOnceBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value

    /// Runs a body as one atomic, serialisable unit, durable when the call returns.
    ///
    /// The body is synchronous and must not keep the transaction. A throwing body is rolled back, and
    /// so is one whose task is cancelled before the commit. The body may run again when the engine
    /// has to repeat the transaction, so it should have no effects but those on the transaction.
    @discardableResult
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value

    /// Runs a body that makes one call on the transaction, and throws what that throws.
    ///
    /// The client may do without the savepoint that would undo the call alone. By default it is
    /// ``write(_:)``.
    @discardableResult
    func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value

    /// Runs a body that makes one call on the transaction, and throws what that throws, blocking the
    /// calling thread.
    ///
    /// By default it is ``writeBlocking(_:)``.
    @discardableResult
    func writeOnceBlocking<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value

    /// Runs a body on one snapshot of the store, blocking the calling thread.
    func readBlocking<Value>(_ body: (ReadTransaction) throws -> Value) throws -> Value

    /// Runs a body as one atomic, serialisable unit, blocking the calling thread. Inside a write of
    /// the same client on the same thread it is a savepoint of that one.
    @discardableResult
    func writeBlocking<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value

    /// The source of the client's observations; a client that wraps another one returns that one's.
    var observation: ObservationSource { get }

    /// Releases the store; later calls throw `.closed`. Closing twice does nothing.
    func close() throws
}

extension DBClient {
    /// Runs the body in a transaction.
    public func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }

    /// Runs the body in a transaction.
    public func readOnceBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        try readBlocking(body)
    }

    /// Runs the body in a transaction.
    @discardableResult
    public func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write(body)
    }

    /// Runs the body in a transaction.
    @discardableResult
    public func writeOnceBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try writeBlocking(body)
    }
}
