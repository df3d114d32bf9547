/// Work on a store as a value: made now, combined with other work, and run later in one transaction.
///
/// ```swift
/// let promote = DBOperation.find(Character.self, key: 1455)
///     .flatMap { hero in .insert(Promotion(of: hero)) }
/// try await client.run(promote)
/// ```
///
/// `Mode` is ``ReadOnly`` or ``ReadWrite``. Reads combined stay a read, and run on one snapshot;
/// anything combined with a write is a write, one atomic unit that is undone whole when a part of it
/// throws. A composition of any length runs in constant stack, at a constant cost for each step.
///
/// An operation holds no transaction and can be run any number of times, on any client. Like the body
/// of a transaction it may run again when the engine has to repeat the transaction, so its closures
/// should have no effects but those on the transaction.
public struct DBOperation<Mode: Access, Value>: Sendable {
    /// The part that is run; it makes a `Value`, and writes only if `Mode` says so.
    @usableFromInline let part: OperationPart

    @usableFromInline
    init(_ part: OperationPart) {
        self.part = part
    }

    /// Creates an operation from the body of a transaction: the way to write several steps in a row.
    ///
    /// ```swift
    /// let promote = WriteOperation { transaction in
    ///     let hero = try transaction.run(.find(Character.self, key: 1455))
    ///     return try transaction.run(.insert(Promotion(of: hero)))
    /// }
    /// ```
    ///
    /// The body must not keep the transaction.
    @inlinable
    public init(_ body: @escaping @Sendable (Mode.Transaction) throws -> Value) {
        part = OperationPart { run in run.put(try body(Mode.transaction(in: run.context))) }
    }

    /// Returns the operation that does nothing and has a value.
    @inlinable
    public static func value(_ value: Value) -> Self where Value: Sendable {
        Self(.step { $0.put(value) })
    }

    /// Returns the operation that throws an error, and so undoes the transaction that it is part of.
    public static func fail(_ error: any Error) -> Self {
        Self { _ in throw error }
    }
}

/// An operation that only reads, so that it runs in a read or a write transaction.
public typealias ReadOperation<Value> = DBOperation<ReadOnly, Value>

/// An operation that may write, so that it runs in a write transaction alone.
public typealias WriteOperation<Value> = DBOperation<ReadWrite, Value>

extension DBOperation where Value == Mode.Transaction {
    /// The operation whose value is the transaction it runs in.
    ///
    /// The transaction is good for the rest of the composition; used later, it throws
    /// `.transactionEnded`.
    public static var ask: Self {
        Self { $0 }
    }
}

extension DBOperation where Mode == ReadOnly {
    /// Returns the same operation among those that may write.
    public func lifted() -> WriteOperation<Value> {
        WriteOperation(part)
    }
}
