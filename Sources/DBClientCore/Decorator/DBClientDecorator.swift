/// A client that adds something to another: it logs, refuses, retries, checks.
///
/// A decorator is a client like any other, so decorators compose:
///
/// ```swift
/// let client = RetryingDBClient(ValidatingDBClient(store, rules: rules))
/// ```
///
/// An adopter says what stands between the calls and the store, and implements only what it changes of the
/// rest, which is passed on to `base`.
public protocol DBClientDecorator: DBClient {
    /// The client that does the work.
    var base: any DBClient { get }

    /// Returns what stands between the calls of a transaction and the store; nil for nothing.
    ///
    /// Called for each transaction, in the task or on the thread that begins it.
    func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)?

    /// Whether a call by itself goes to `base` as one, which spares engines a transaction or a savepoint.
    ///
    /// Where it is false, the default, every call comes as a transaction through `read`, `write` and their
    /// blocking twins, so that an adopter that implements these sees all there is. One that implements none
    /// of them, and whose interceptor runs a call no more than once, says true.
    var forwardsSingleCalls: Bool { get }
}

extension DBClientDecorator {
    /// Returns nil: by default nothing stands between the calls and the store.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? { nil }

    /// False: by default every call reaches `base` as a transaction.
    public var forwardsSingleCalls: Bool { false }

    /// Runs a body on one snapshot of `base`.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await forwardRead(through: interceptor(isWrite: false), body)
    }

    /// Runs a body as an atomic unit of `base`.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await forwardWrite(through: interceptor(isWrite: true), body)
    }

    /// Runs a body on one snapshot of `base`, blocking the calling thread.
    public func readBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        try forwardReadBlocking(through: interceptor(isWrite: false), body)
    }

    /// Runs a body as an atomic unit of `base`, blocking the calling thread.
    @discardableResult
    public func writeBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try forwardWriteBlocking(through: interceptor(isWrite: true), body)
    }

    /// The observation source of `base`, which sees what is written through the decorator as well.
    public var observation: ObservationSource { base.observation }

    /// Closes `base` and so releases the store.
    public func close() throws {
        try base.close()
    }
}
