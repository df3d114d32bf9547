/// An operation whose mode is known only when the program runs.
///
/// ```swift
/// let operation = isDryRun ? AnyOperation(preview) : AnyOperation(cleanUp)
/// try await client.run(operation)
/// ```
public struct AnyOperation<Value>: Sendable {
    /// Whether the operation may write, and so needs a write transaction.
    public let isWrite: Bool
    let part: OperationPart

    /// Creates an operation that reads, whose mode is no longer a part of the type.
    public init(_ operation: ReadOperation<Value>) {
        isWrite = false
        part = operation.part
    }

    /// Creates an operation that may write.
    public init(_ operation: WriteOperation<Value>) {
        isWrite = true
        part = operation.part
    }

    private init(isWrite: Bool, part: OperationPart) {
        self.isWrite = isWrite
        self.part = part
    }

    /// The operation among those that may write.
    public var writing: WriteOperation<Value> {
        WriteOperation(part)
    }

    /// The operation as a read; nil when it may write.
    public var reading: ReadOperation<Value>? {
        isWrite ? nil : ReadOperation(part)
    }

    /// Returns the operation whose value is made of this one's.
    public func map<Result>(
        _ transform: @escaping @Sendable (Value) throws -> Result
    ) -> AnyOperation<Result> {
        AnyOperation<Result>(
            isWrite: isWrite,
            part: OperationPart(after: part) { run in run.put(try transform(run.take())) }
        )
    }

    /// Returns the operation that runs this one, then the read that its value leads to.
    public func flatMap<Result>(
        _ next: @escaping @Sendable (Value) throws -> ReadOperation<Result>
    ) -> AnyOperation<Result> {
        AnyOperation<Result>(
            isWrite: isWrite,
            part: OperationPart(after: part) { run in try next(run.take()).part }
        )
    }

    /// Returns the operation that runs this one, then the write that its value leads to.
    public func flatMap<Result>(
        _ next: @escaping @Sendable (Value) throws -> WriteOperation<Result>
    ) -> WriteOperation<Result> {
        writing.flatMap(next)
    }

    /// Returns the operation that runs this one, then the one that its value leads to.
    ///
    /// It is a write, because the mode of what comes is not known before the transaction begins.
    public func flatMap<Result>(
        _ next: @escaping @Sendable (Value) throws -> AnyOperation<Result>
    ) -> WriteOperation<Result> {
        writing.flatMap { try next($0).writing }
    }
}
