/// A client that adds something to another: it logs, refuses, retries, checks.
///
/// A decorator is a client like any other, so decorators compose:
///
/// ```swift
/// let client = RetryingDBClient(ValidatingDBClient(store, rules: rules))
/// ```
///
/// An adopter says what stands between the calls and the store, and implements only what it changes of
/// the rest, which goes on to `base`.
public protocol DBClientDecorator: DBClient {
    /// The client that does the work.
    var base: any DBClient { get }

    /// Returns what stands between the calls of a transaction and the store; nil for nothing.
    ///
    /// Called for each transaction, in the task or on the thread that begins it.
    func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)?
}

extension DBClientDecorator {
    /// Nothing.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? { nil }

    /// Runs a body on one snapshot of `base`.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await forwardRead(through: interceptor(isWrite: false), body)
    }

    /// Runs a body as an atomic unit of `base`.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await forwardWrite(through: interceptor(isWrite: true), body)
    }

    /// Runs a body on one snapshot of `base`, blocking the calling thread.
    public func readBlocking<Value>(
        _ body: (any ReadTransaction) throws -> Value
    ) throws -> Value {
        try forwardReadBlocking(through: interceptor(isWrite: false), body)
    }

    /// Runs a body as an atomic unit of `base`, blocking the calling thread.
    @discardableResult
    public func writeBlocking<Value>(
        _ body: (any WriteTransaction) throws -> Value
    ) throws -> Value {
        try forwardWriteBlocking(through: interceptor(isWrite: true), body)
    }

    /// What `base` is observed through: what is written through the decorator reaches it there.
    public var observation: ObservationSource { base.observation }

    /// Releases the store.
    public func close() throws {
        try base.close()
    }
}

// What a decorator calls that adds something round its transactions.
extension DBClientDecorator {
    /// Runs a body on one snapshot of `base`, its calls through an interceptor.
    public func forwardRead<Value: Sendable>(
        through interceptor: (any TransactionInterceptor & Sendable)?,
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Value
    ) async throws -> Value {
        guard let interceptor else {
            return try await base.read(body)
        }
        return try await base.read { try body(InterceptedReadTransaction($0, interceptor)) }
    }

    /// Runs a body as an atomic unit of `base`, its calls through an interceptor.
    public func forwardWrite<Value: Sendable>(
        through interceptor: (any TransactionInterceptor & Sendable)?,
        _ body: @escaping @Sendable (any WriteTransaction) throws -> Value
    ) async throws -> Value {
        guard let interceptor else {
            return try await base.write(body)
        }
        return try await base.write { try body(InterceptedWriteTransaction($0, interceptor)) }
    }

    /// Runs a body on one snapshot of `base`, blocking, its calls through an interceptor.
    public func forwardReadBlocking<Value>(
        through interceptor: (any TransactionInterceptor)?,
        _ body: (any ReadTransaction) throws -> Value
    ) throws -> Value {
        guard let interceptor else {
            return try base.readBlocking(body)
        }
        return try base.readBlocking { try body(InterceptedReadTransaction($0, interceptor)) }
    }

    /// Runs a body as an atomic unit of `base`, blocking, its calls through an interceptor.
    public func forwardWriteBlocking<Value>(
        through interceptor: (any TransactionInterceptor)?,
        _ body: (any WriteTransaction) throws -> Value
    ) throws -> Value {
        guard let interceptor else {
            return try base.writeBlocking(body)
        }
        return try base.writeBlocking { try body(InterceptedWriteTransaction($0, interceptor)) }
    }
}
