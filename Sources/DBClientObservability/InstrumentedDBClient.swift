#if Observability
public import DBClientCore

/// A client whose transactions and calls are logged, measured or traced.
///
/// ```swift
/// let client = InstrumentedDBClient(store, .logging(), .metrics(), .tracing())
/// ```
///
/// Instruments see each transaction and, inside it, each call: what is done to which entity, how long it
/// took, why it failed. They see no stored value, unless logging is told to show those of requests. What
/// relates a call to others of its kind is named as OpenTelemetry's conventions for databases say (see
/// ``DatabaseAttribute``).
///
/// A transaction that an engine repeats is one transaction, its calls are seen as often as they are made.
/// Live rows (`EntityContext`) and what observers read go past the instruments.
public final class InstrumentedDBClient: DBClientDecorator {
    /// The client that does the work.
    public let base: any DBClient
    private let instruments: [DBClientInstrument]
    private let database: Database

    /// Creates a client that is watched.
    ///
    /// - Parameters:
    ///   - base: The client that does the work.
    ///   - instruments: The instruments that watch it; the first is notified first of a beginning and last of
    ///     an end.
    ///   - system: The name of the database system; by default the engine's own.
    ///   - namespace: The name of the database, where it has one that distinguishes it from others.
    public init(
        _ base: any DBClient,
        _ instruments: DBClientInstrument...,
        system: String? = nil,
        namespace: String? = nil
    ) {
        self.base = base
        self.instruments = instruments
        database = Database(system: system ?? base.systemName, namespace: namespace)
    }

    /// Runs a body on one snapshot.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        let watch = watch(.read)
        return try await watch.run {
            try await forwardRead(through: watch) { transaction in
                try watch.inContext { try body(transaction) }
            }
        }
    }

    /// Runs a body as an atomic unit.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let watch = watch(.write)
        return try await watch.run {
            try await forwardWrite(through: watch) { transaction in
                try watch.inContext { try body(transaction) }
            }
        }
    }

    /// Runs a body that makes one call.
    @discardableResult
    public func writeOnce<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        let watch = watch(.write)
        return try await watch.run {
            try await forwardWriteOnce(through: watch) { transaction in
                try watch.inContext { try body(transaction) }
            }
        }
    }

    /// Runs a body that makes one call, blocking the calling thread.
    @discardableResult
    public func writeOnceBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        let watch = watch(.write)
        return try watch.runBlocking { try forwardWriteOnceBlocking(through: watch, body) }
    }

    /// Runs a body on one snapshot, blocking the calling thread.
    public func readBlocking<Value>(
        _ body: (ReadTransaction) throws -> Value
    ) throws -> Value {
        let watch = watch(.read)
        return try watch.runBlocking { try forwardReadBlocking(through: watch, body) }
    }

    /// Runs a body as an atomic unit, blocking the calling thread.
    @discardableResult
    public func writeBlocking<Value>(
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        let watch = watch(.write)
        return try watch.runBlocking { try forwardWriteBlocking(through: watch, body) }
    }

    /// Watches the calls of what reads for longer than a transaction.
    public func interceptor(isWrite: Bool) -> (any TransactionInterceptor & Sendable)? {
        watch(isWrite ? .write : .read)
    }

    private func watch(_ work: Work) -> TransactionWatch {
        TransactionWatch(work, instruments.map { $0.probe(database) })
    }
}

extension DBClient {
    fileprivate var systemName: String {
        if let client = self as? any EngineBackedClient { return client.engine.systemName }
        if let decorator = self as? any DBClientDecorator { return decorator.base.systemName }
        return "other"
    }
}
#endif
