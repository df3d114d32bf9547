import Dispatch

// What an engine need not implement to run transactions.
extension Engine {
    /// The name of the engine's type, which is the default.
    public var systemName: String { String(describing: Self.self) }

    /// Nil, which is the default: the engine cannot be observed.
    public var hub: ChangeHub? { nil }

    /// Runs the body on the caller's thread.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value {
        try readBlocking(body)
    }

    /// Runs the body in a read transaction.
    @inlinable
    public func readOnceBlocking<Value>(
        _ body: (any EngineReader) throws -> Value
    ) throws -> Value {
        try readBlocking(body)
    }

    /// Runs the body in a read transaction.
    public func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }

    /// Blocks a thread of the system's pool.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try self.writeBlocking(body) })
            }
        }
    }

    /// Returns nil, which is the default: the engine holds no snapshot.
    public func openSnapshot() throws -> (any EngineSnapshot)? { nil }
}
