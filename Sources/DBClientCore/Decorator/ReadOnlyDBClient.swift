/// A client that reads another and writes nothing: every write throws `.readOnly`.
///
/// For a screen, a report or a plug-in that must not change what it shows.
public final class ReadOnlyDBClient: DBClientDecorator {
    /// The client that calls are passed to.
    public let base: any DBClient

    /// Creates a client that reads another.
    public init(_ base: any DBClient) {
        self.base = base
    }

    /// Returns an interceptor that passes every read on.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? {
        Reading()
    }

    /// Yes, of the calls that read.
    public var forwardsSingleCalls: Bool { true }

    /// Throws `.readOnly` without running the body.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        throw Self.refusal
    }

    /// Throws `.readOnly` without running the body.
    public func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        throw Self.refusal
    }

    /// Throws `.readOnly` without running the body.
    public func writeOnceBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        throw Self.refusal
    }

    /// Throws `.readOnly` without running the body.
    public func writeBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        throw Self.refusal
    }

    private static var refusal: DBClientError {
        DBClientError(.readOnly, "A read-only client must not be used to write.")
    }

    /// Watches nothing; but a transaction that is intercepted hides that it could write, where it is a
    /// read that has joined a write of the same store.
    private struct Reading: TransactionInterceptor, Sendable {
        var allowsRepetition: Bool { true }
    }
}
