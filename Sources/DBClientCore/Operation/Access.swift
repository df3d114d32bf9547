/// The access mode of an operation, which is part of the type of a ``DBOperation``.
///
/// ``ReadOnly`` and ``ReadWrite`` are the only ones; do not adopt it.
public protocol Access: Sendable {
    /// The transaction that an operation of this mode works on.
    associatedtype Transaction

    /// Returns the transaction that an operation runs in.
    ///
    /// - Throws: `.readOnly` when the operation writes and the transaction cannot.
    static func transaction(in context: OperationContext) throws -> Transaction
}

/// The mode of an operation that reads one snapshot and writes nothing.
public enum ReadOnly: Access {
    /// The transaction of an operation that reads.
    public typealias Transaction = ReadTransaction

    /// Returns the transaction that the operation runs in.
    @inlinable
    public static func transaction(in context: OperationContext) -> ReadTransaction {
        context.reader
    }
}

/// The mode of an operation that may write.
public enum ReadWrite: Access {
    /// The transaction of an operation that writes.
    public typealias Transaction = WriteTransaction

    /// Returns the transaction that the operation runs in.
    ///
    /// - Throws: `.readOnly` when it is one that only reads.
    @inlinable
    public static func transaction(in context: OperationContext) throws -> WriteTransaction {
        guard let writer = context.writer else { throw context.readsOnly }
        return writer
    }
}

/// The transaction that an operation runs in, whatever its mode.
public struct OperationContext {
    @usableFromInline let reader: ReadTransaction
    @usableFromInline let writer: (WriteTransaction)?

    @usableFromInline var readsOnly: DBClientError {
        DBClientError(.readOnly, "An operation that writes must run in a write transaction.")
    }

    init(_ reader: ReadTransaction) {
        self.reader = reader
        self.writer = nil
    }

    init(_ writer: WriteTransaction) {
        self.reader = writer
        self.writer = writer
    }
}
