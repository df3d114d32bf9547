/// A client whose transactions run on an engine.
///
/// A backend's client adopts it and has every requirement of `DBClient`.
public protocol EngineBackedClient: DBClient {
    /// The engine that stores what the client reads and writes.
    var engine: any Engine { get }

    /// Returns how the engine keeps a model that differs on it, or nil when it keeps the model's
    /// `Storage`.
    static func mapping<Model: EngineConvertible>(
        of model: Model.Type
    ) -> (any ModelMapping<Model>)?
}

extension EngineBackedClient {
    /// Returns nil, which is the default: the model is kept as its `Storage`.
    public static func mapping<Model: EngineConvertible>(
        of model: Model.Type
    ) -> (any ModelMapping<Model>)? { nil }

    /// Runs a body on one snapshot.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try Task.checkNotCancelled()
        let engine = engine
        return try await engine.read { reader in
            try engine.runRead(reader, of: Self.self, body)
        }
    }

    /// Runs a body that makes one call.
    public func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try Task.checkNotCancelled()
        let engine = engine
        return try await engine.readOnce { reader in
            try engine.runRead(reader, of: Self.self, body)
        }
    }

    /// Runs a body that makes one call, blocking the calling thread.
    public func readOnceBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        let engine = engine
        if let frame = TransactionFrame.current(of: engine) { return try body(frame.transaction) }
        return try engine.readOnceBlocking { reader in
            try engine.runRead(reader, of: Self.self, body)
        }
    }

    /// Runs a body as an atomic unit.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write(asOneCall: false, body)
    }

    /// Runs a body that makes one call.
    @discardableResult
    public func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write(asOneCall: true, body)
    }

    private func write<Value: Sendable>(
        asOneCall isOneCall: Bool,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try Task.checkNotCancelled()
        let engine = engine
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await engine.write { writer in
                try engine.runWrite(
                    writer,
                    of: Self.self,
                    asOneCall: isOneCall,
                    cancelledBy: cancellation
                ) { transaction in
                    try cancellation.check()
                    let value = try body(transaction)
                    try cancellation.check()
                    return value
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Runs a body on one snapshot, blocking the calling thread.
    public func readBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        let engine = engine
        if let frame = TransactionFrame.current(of: engine) { return try body(frame.transaction) }
        return try engine.readBlocking { reader in try engine.runRead(reader, of: Self.self, body) }
    }

    /// Runs a body as an atomic unit, blocking the calling thread; inside another write of the same
    /// client it is a savepoint of that one.
    @discardableResult
    public func writeBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try writeBlocking(asOneCall: false, body)
    }

    /// Runs a body that makes one call, blocking the calling thread.
    @discardableResult
    public func writeOnceBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try writeBlocking(asOneCall: true, body)
    }

    private func writeBlocking<Value>(
        asOneCall isOneCall: Bool,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        let engine = engine
        if let frame = TransactionFrame.current(of: engine) {
            guard let transaction = frame.transaction as? WriteTransaction else {
                throw DBClientError(
                    .invalidRequest,
                    "A write must not begin inside a read of the same client.",
                    hint: "Begin a write transaction, which can read as well."
                )
            }
            return try transaction.write(body)
        }
        return try engine.writeBlocking { writer in
            try engine.runWrite(writer, of: Self.self, asOneCall: isOneCall, body)
        }
    }

    /// The source of the client's observations: the commits of its engine.
    public var observation: ObservationSource { ObservationSource(engine: engine, client: self) }

    /// Releases the engine; later calls throw `.closed`, and so does whatever observes the client.
    ///
    /// - Throws: `.invalidRequest` inside a transaction of the client, whose end it would wait for.
    public func close() throws {
        guard TransactionFrame.current(of: engine) == nil else {
            throw DBClientError(
                .invalidRequest,
                "A client must not be closed inside its own transaction."
            )
        }
        try engine.close()
        engine.hub?.end(
            subscribersOf: engine,
            DBClientError(.closed, "The client was closed while it was observed.")
        )
    }
}

extension Engine {
    fileprivate func runRead<Value>(
        _ reader: any EngineReader,
        of client: any EngineBackedClient.Type,
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        let transaction = ReadTransaction(reader, client)
        defer { transaction.end() }
        return try TransactionFrame.with(transaction, of: self) { try body(transaction) }
    }

    fileprivate func runWrite<Value>(
        _ writer: any EngineWriter,
        of client: any EngineBackedClient.Type,
        asOneCall isOneCall: Bool,
        cancelledBy cancellation: Cancellation? = nil,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        let writer = ViewWriter(writer)
        let transaction = WriteTransaction(
            writer,
            client,
            isOneCall: isOneCall,
            cancelledBy: cancellation
        )
        defer { transaction.end() }
        return try TransactionFrame.with(transaction, of: self) {
            let value = try body(transaction)
            try transaction.openContext?.flush()
            try writer.keepViews()
            try writer.checkForeignKeys()
            return value
        }
    }
}
