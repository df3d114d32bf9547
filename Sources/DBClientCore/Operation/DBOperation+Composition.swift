// Each way to go on comes twice, for a read and for a write that follows. Where what follows could be
// either, it is the mode of what it follows.

extension DBOperation {
    /// Returns the operation whose value is made of this one's.
    @inlinable
    public func map<Result>(
        _ transform: @escaping @Sendable (Value) throws -> Result
    ) -> DBOperation<Mode, Result> {
        DBOperation<Mode, Result>(OperationPart(after: part) { $0.put(try transform($0.take())) })
    }
}

extension DBOperation where Mode == ReadOnly {
    /// Returns the operation that runs this one, then the read that its value leads to.
    @inlinable
    public func flatMap<Result>(
        _ next: @escaping @Sendable (Value) throws -> ReadOperation<Result>
    ) -> ReadOperation<Result> {
        ReadOperation(OperationPart(after: part) { try next($0.take()).part })
    }

    /// Returns the operation that runs this one, then the write that its value leads to.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Result>(
        _ next: @escaping @Sendable (Value) throws -> WriteOperation<Result>
    ) -> WriteOperation<Result> {
        WriteOperation(OperationPart(after: part) { try next($0.take()).part })
    }

    /// Returns the operation that runs this one, then another read, and has both values.
    public func zip<Other>(_ other: ReadOperation<Other>) -> ReadOperation<(Value, Other)> {
        ReadOperation(.node(PairNode<Value, Other>(part, other.part)))
    }

    /// Returns the operation that runs this one, then a write, and has both values.
    @_disfavoredOverload
    public func zip<Other>(_ other: WriteOperation<Other>) -> WriteOperation<(Value, Other)> {
        WriteOperation(.node(PairNode<Value, Other>(part, other.part)))
    }

    /// Returns the operation that, should this one throw, runs another read in its place.
    public func recover(
        _ handler: @escaping @Sendable (any Error) throws -> ReadOperation<Value>
    ) -> ReadOperation<Value> {
        ReadOperation(.node(RecoveryNode(part) { try handler($0).part }))
    }

    /// Returns the operation that, should this one throw, runs a write in its place.
    @_disfavoredOverload
    public func recover(
        _ handler: @escaping @Sendable (any Error) throws -> WriteOperation<Value>
    ) -> WriteOperation<Value> {
        WriteOperation(.node(RecoveryNode(part) { try handler($0).part }))
    }
}

extension DBOperation where Mode == ReadWrite {
    /// Returns the operation that runs this one, then the one that its value leads to.
    @inlinable
    public func flatMap<Result>(
        _ next: @escaping @Sendable (Value) throws -> WriteOperation<Result>
    ) -> WriteOperation<Result> {
        WriteOperation(OperationPart(after: part) { try next($0.take()).part })
    }

    /// Returns the operation that runs this one, then the read that its value leads to.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Result>(
        _ next: @escaping @Sendable (Value) throws -> ReadOperation<Result>
    ) -> WriteOperation<Result> {
        WriteOperation(OperationPart(after: part) { try next($0.take()).part })
    }

    /// Returns the operation that runs this one, then another, and has both values.
    public func zip<Other>(_ other: WriteOperation<Other>) -> WriteOperation<(Value, Other)> {
        WriteOperation(.node(PairNode<Value, Other>(part, other.part)))
    }

    /// Returns the operation that runs this one, then a read, and has both values.
    @_disfavoredOverload
    public func zip<Other>(_ other: ReadOperation<Other>) -> WriteOperation<(Value, Other)> {
        WriteOperation(.node(PairNode<Value, Other>(part, other.part)))
    }

    /// Returns the operation that, should this one throw, undoes what it wrote and runs another in its
    /// place.
    ///
    /// What ran before this operation stays.
    public func recover(
        _ handler: @escaping @Sendable (any Error) throws -> WriteOperation<Value>
    ) -> WriteOperation<Value> {
        WriteOperation(.node(SavepointNode<Value>(part) { try handler($0).part }))
    }

    /// Returns the operation that, should this one throw, undoes what it wrote and runs a read in its
    /// place.
    @_disfavoredOverload
    public func recover(
        _ handler: @escaping @Sendable (any Error) throws -> ReadOperation<Value>
    ) -> WriteOperation<Value> {
        WriteOperation(.node(SavepointNode<Value>(part) { try handler($0).part }))
    }

    /// Returns the operation as a savepoint: should it throw, what it wrote is undone before the error is
    /// rethrown.
    public func savepoint() -> Self {
        recover { WriteOperation.fail($0) }
    }
}
