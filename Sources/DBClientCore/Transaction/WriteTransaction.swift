/// An atomic, serialisable unit of reads and writes.
///
/// Received by the body of `client.write`. It commits when the body returns and is undone when the body
/// throws. A call that throws undoes what it wrote itself, so a body may catch its error and continue. Using
/// the transaction after the body has returned throws `.transactionEnded`.
///
/// Its calls are those of ``ReadCalls`` and ``WriteCalls``.
public final class WriteTransaction: ReadTransaction, WriteCalls {
    private let openWriter: any EngineWriter
    /// Whether nothing but one call is made, so that what it throws undoes the transaction.
    private let isOneCall: Bool
    /// Whether the task that asked for the transaction was cancelled; nil where no task waits for it.
    private let cancellation: Cancellation?

    /// Creates a transaction on an engine's writer.
    init(
        _ writer: any EngineWriter,
        _ clientType: any EngineBackedClient.Type,
        isOneCall: Bool = false,
        cancelledBy cancellation: Cancellation? = nil
    ) {
        openWriter = writer
        self.isOneCall = isOneCall
        self.cancellation = cancellation
        super.init(writer, clientType)
    }

    /// Creates a part of a transaction: the transaction seen through other interceptors, or a savepoint.
    init(
        _ outer: WriteTransaction,
        _ interceptors: [any TransactionInterceptor],
        isSavepoint: Bool = false
    ) throws {
        let writer = try outer.writer()
        openWriter = writer
        isOneCall = isSavepoint ? false : outer.isOneCall
        cancellation = outer.cancellation
        super.init(writer, outer.clientType, interceptors, in: outer)
    }

    /// Runs a body on the transaction itself.
    @discardableResult
    public func writing<Value>(
        asOneCall isOneCall: Bool,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try body(self)
    }

    override func makeEntities(_ reader: any EngineReader) -> EntityContext {
        EntityContext(reader, writer: openWriter, registry)
    }

    /// Throws `.cancelled` once the task that asked for the transaction is cancelled: for work that takes
    /// long.
    func checkNotCancelled() throws {
        try cancellation?.check()
    }

    func writer() throws -> any EngineWriter {
        _ = try reader()
        return openWriter
    }

    /// The relationships that the store knows of, read when it is first needed: one for the transaction and
    /// its savepoints.
    private(set) lazy var registry: RelationshipRegistry = {
        guard outermost !== self, let outermost = outermost as? WriteTransaction else {
            return RelationshipRegistry(takingOverWith: openWriter)
        }
        return outermost.registry
    }()

    /// Throws what is wrong with an entity, and when its rows would be among the links of a relationship.
    @inline(__always)
    func validate(_ entity: EntitySchema, _ writer: any EngineWriter) throws {
        try entity.validate()
        if entity.resemblesLinks { try registry.register(entity, with: writer) }
    }

    /// Runs a body as a savepoint: when it throws, what it wrote is undone and this transaction can continue.
    @discardableResult
    public func write<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        try intercept(TransactionCall(.savepoint, entity: nil)) { try savepoint(body) }
    }

    /// Runs a body as a savepoint that interceptors do not see.
    func savepoint<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        let writer = try writer()
        var mark: Int?
        openSavepoints += 1
        defer { openSavepoints -= 1 }
        // Also in a transaction of one call, whose closure may begin it and go on without what it did.
        do {
            return try writer.atomically {
                mark = openContext?.journal?.mark ?? 0
                // A handle of its own, so that it ends with its body.
                let nested = try WriteTransaction(self, interceptors, isSavepoint: true)
                defer { nested.end() }
                let value = try body(nested)
                try openContext?.flush()
                return value
            }
        } catch {
            registry.forget()
            // After the savepoint is undone, since entities are as their rows are then.
            if let mark { openContext?.rollback(to: mark) }
            throw error
        }
    }

    /// Runs a body that is undone when it throws.
    ///
    /// A call on one row is atomic without, and so is one that is all of the transaction: savepoints cost
    /// copies of pages, and round trips to a server.
    func atomically<Value>(_ rows: Int = 2, _ body: () throws -> Value) throws -> Value {
        if isOneCall { return try body() }
        do {
            return try openWriter.atomically(rows, body)
        } catch {
            registry.forget()
            throw error
        }
    }
}

extension EntitySchema {
    /// Returns the error of an update of what is not stored.
    func nothingToUpdate(_ key: some Any) -> DBClientError {
        DBClientError(
            .notFound,
            "There is no value with this primary key to update.",
            entity: name,
            key: "\(key)"
        )
    }
}

extension EngineWriter {
    /// Runs a body that is undone when it throws.
    ///
    /// A call on one row is atomic without.
    func atomically<Value>(_ rows: Int = 2, _ body: () throws -> Value) throws -> Value {
        guard rows > 1 else { return try body() }
        try beginSavepoint()
        let value: Value
        do {
            value = try body()
        } catch {
            // A lost transaction has no savepoint to go back to; what lost it is what to tell.
            if !hasFailed { try rollbackSavepoint() }
            throw error
        }
        try releaseSavepoint()
        return value
    }
}
