extension DBClient {
    /// Runs an operation on one snapshot and returns its value.
    public func run<Value: Sendable>(_ operation: ReadOperation<Value>) async throws -> Value {
        try await read { try $0.run(operation) }
    }

    /// Runs an operation as one atomic unit, durable when the call returns, and returns its value.
    ///
    /// When any part of it throws, all of it is undone.
    @discardableResult
    public func run<Value: Sendable>(_ operation: WriteOperation<Value>) async throws -> Value {
        try await write { try $0.run(operation) }
    }

    /// Runs an operation in a transaction of its mode and returns its value.
    @discardableResult
    public func run<Value: Sendable>(_ operation: AnyOperation<Value>) async throws -> Value {
        if let reading = operation.reading { return try await run(reading) }
        return try await run(operation.writing)
    }
}

extension BlockingDBClient {
    /// Runs an operation on one snapshot and returns its value.
    public func run<Value>(_ operation: ReadOperation<Value>) throws -> Value {
        try client.readBlocking { try $0.run(operation) }
    }

    /// Runs an operation as one atomic unit, durable when the call returns, and returns its value.
    ///
    /// When any part of it throws, all of it is undone.
    @discardableResult
    public func run<Value>(_ operation: WriteOperation<Value>) throws -> Value {
        try client.writeBlocking { try $0.run(operation) }
    }

    /// Runs an operation in a transaction of its mode and returns its value.
    @discardableResult
    public func run<Value>(_ operation: AnyOperation<Value>) throws -> Value {
        if let reading = operation.reading { return try run(reading) }
        return try run(operation.writing)
    }
}

extension ReadTransaction {
    /// Runs an operation as a part of this transaction and returns its value.
    public func run<Value>(_ operation: ReadOperation<Value>) throws -> Value {
        try OperationRun(OperationContext(self)).evaluate(operation.part)
    }
}

extension WriteTransaction {
    /// Runs an operation as a part of this transaction and returns its value.
    ///
    /// What it wrote before it throws stays in the transaction, unless it is a
    /// ``DBOperation/savepoint()``.
    @discardableResult
    public func run<Mode: Access, Value>(_ operation: DBOperation<Mode, Value>) throws -> Value {
        try OperationRun(OperationContext(self)).evaluate(operation.part)
    }
}
