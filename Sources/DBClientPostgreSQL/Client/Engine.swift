import DBClientCore
import DBClientSQL
import Dispatch

/// A PostgreSQL database: units of work on connections of a pool.
///
/// A blocking caller's unit runs on its own thread, an asynchronous caller's on a thread of the
/// pool's, so that Swift's own threads never wait for a server.
final class PostgreSQLEngine: Engine {
    let systemName = "postgresql"
    let pool: ConnectionPool
    private let configuration: PostgreSQLConfiguration
    private let snapshots: SnapshotLoans
    let store: PostgreSQLStore
    let replicas: Replicas?
    private let watch: JournalWatch
    private let notifier: JournalNotifier

    var hub: ChangeHub? { store.hub }

    /// Connects, to find out which store it is and whether that has a journal.
    init(_ pool: ConnectionPool) throws {
        self.pool = pool
        snapshots = SnapshotLoans(pool)
        configuration = pool.configuration
        store = PostgreSQLStore.of(try pool.store())
        if let session = try? pool.sessionBlocking() {
            try? Journal.look(for: store.journal, through: session.connection)
            pool.give(session)
        }
        replicas = configuration.readsFromReplica ? Replicas(pool, store) : nil
        watch = JournalWatch(pool, store)
        notifier = JournalNotifier(pool, store.journal)
        store.hub.add(watch)
    }

    /// Releases the connections of a client that was not closed: the store's other clients would keep the
    /// watch alive, and that the pool.
    deinit {
        store.hub.remove(watch)
        watch.close()
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try runBlocking(.read) { try body($0) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value {
        try await run(.read) { try body($0) }
    }

    func readOnceBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try runBlocking(.call) { try body($0) }
    }

    func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value {
        try await run(.call) { try body($0) }
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try runBlocking(.write, store.hub) { try body($0) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await run(.write, store.hub) { try body($0) }
    }

    /// Learns that the store has a journal.
    func noteJournal() {
        store.journal.noteInstallation()
    }

    /// Runs a body in a transaction on the primary server that observers are not notified of.
    func runUnobserved<Value: Sendable>(
        _ kind: SQLTransactionKind,
        _ body: @escaping @Sendable (SQLTransaction, PostgreSQLConnection) throws -> Value
    ) async throws -> Value {
        try await run(kind, onPrimary: true) { writer in
            guard let transaction = writer as? SQLTransaction,
                let connection = transaction.connection as? PostgreSQLConnection
            else { throw DBClientError(.engine, "The transaction is observed.") }
            return try body(transaction, connection)
        }
    }

    /// Asks the server what it is and what it lacks.
    func server() async throws -> PostgreSQLServer {
        try await withCheckedThrowingContinuation { continuation in
            let thread = pool.takeThread()
            thread.run { [pool] in
                let result = Swift.Result { () throws -> PostgreSQLServer in
                    let session = try pool.sessionBlocking()
                    defer { pool.give(session) }
                    return try session.connection.inquire()
                }
                pool.give(thread)
                continuation.resume(with: result)
            }
        }
    }

    /// Keeps a transaction open on a connection of the pool; a pool of one has none to spare.
    func openSnapshot() throws -> (any EngineSnapshot)? {
        try snapshots.open()
    }

    func close() throws {
        snapshots.close()
        store.hub.remove(watch)
        watch.close()
        replicas?.pool.close()
        pool.close()
    }

    private func runBlocking<Value>(
        _ kind: SQLTransactionKind,
        _ hub: ChangeHub? = nil,
        _ body: (any EngineWriter) throws -> Value
    ) throws -> Value {
        var lease =
            if let replicas, kind != .write {
                try replicas.lease { try replicas.pool.sessionBlocking() }
            } else {
                Lease(try pool.sessionBlocking(), pool)
            }
        var unit = UnitOfWork(kind, configuration, nil, store, hub)
        defer {
            lease.end()
            if unit.mustNotify { notifier.notify() }
        }
        return try unit.run(on: &lease, body)
    }

    private func run<Value: Sendable>(
        _ kind: SQLTransactionKind,
        _ hub: ChangeHub? = nil,
        onPrimary: Bool = false,
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        let cancellation = UnitCancellation()
        let replicas = kind == .write || onPrimary ? nil : replicas
        return try await withTaskCancellationHandler {
            let source = replicas?.pool ?? pool
            let grant =
                if let grant = try source.request(nil) { grant } else {
                    try await source.grant(cancellation)
                }
            let unit = UnitOfWork(kind, configuration, cancellation, store, hub)
            return try await withUnsafeThrowingContinuation { continuation in
                #if os(Linux)
                if kind == .call, replicas == nil, case .session(let session) = grant,
                    session.isLendable, let reactor = source.reactor
                {
                    return SuspendedCall(self, session, unit, body, continuation).begin(reactor)
                }
                #endif
                runOnThread(unit, body, continuation) {
                    try replicas?.lease { try source.session(grant) }
                        ?? Lease(try source.session(grant), source)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Runs a body on a thread of the pool's, which may wait for the server.
    ///
    /// - Parameters:
    ///   - unit: The unit of work.
    ///   - failure: What an attempt without a thread failed for.
    ///   - body: The unit's body.
    ///   - continuation: Resumed with what the body returns.
    ///   - lease: Returns the connection.
    func runOnThread<Value: Sendable>(
        _ unit: UnitOfWork,
        after failure: (any Error)? = nil,
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value,
        _ continuation: UnsafeContinuation<Value, any Error>,
        _ lease: @escaping @Sendable () throws -> Lease
    ) {
        let thread = pool.takeThread()
        thread.run { [self] in
            var unit = unit
            let result = Swift.Result { () throws -> Value in
                var lease = try lease()
                defer { lease.end() }
                if let failure { try unit.prepareAgain(after: failure, on: &lease) }
                return try unit.run(on: &lease, body)
            }
            if unit.mustNotify { notifier.notify() }
            pool.give(thread)
            continuation.resume(with: result)
        }
    }
}
