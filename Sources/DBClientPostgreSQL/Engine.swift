import DBClientCore
import DBClientSQL
import Dispatch

/// A PostgreSQL database: units of work on connections of a pool.
///
/// A blocking caller's unit runs on its own thread, an asynchronous caller's on a thread of the
/// pool's, so that Swift's own threads never wait for a server.
final class PostgreSQLEngine: Engine {
    let pool: ConnectionPool
    private let configuration: PostgreSQLConfiguration

    init(_ pool: ConnectionPool) {
        self.pool = pool
        configuration = pool.configuration
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
        try runBlocking(.write) { try body($0) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await run(.write) { try body($0) }
    }

    func close() throws {
        pool.close()
    }

    private func runBlocking<Value>(
        _ kind: SQLTransactionKind,
        _ body: (SQLTransaction) throws -> Value
    ) throws -> Value {
        var lease = Lease(try pool.sessionBlocking(), pool)
        defer { lease.end() }
        var unit = UnitOfWork(kind, configuration, nil)
        return try unit.run(on: &lease, body)
    }

    private func run<Value: Sendable>(
        _ kind: SQLTransactionKind,
        _ body: @escaping @Sendable (SQLTransaction) throws -> Value
    ) async throws -> Value {
        let cancellation = UnitCancellation()
        return try await withTaskCancellationHandler {
            let grant = try await pool.grant(cancellation)
            let thread = pool.takeThread()
            return try await withCheckedThrowingContinuation { continuation in
                thread.run { [self] in
                    let result = Swift.Result { () throws -> Value in
                        var lease = Lease(try pool.session(grant), pool)
                        defer { lease.end() }
                        var unit = UnitOfWork(kind, configuration, cancellation)
                        return try unit.run(on: &lease, body)
                    }
                    pool.give(thread)
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            // Asking the server takes a connection of its own.
            DispatchQueue.global().async { cancellation.cancel() }
        }
    }
}

/// A connection lent to a unit of work, and replaced when it is lost.
struct Lease {
    private(set) var session: Session?
    private let pool: ConnectionPool

    init(_ session: Session, _ pool: ConnectionPool) {
        self.session = session
        self.pool = pool
    }

    /// Replaces a lost connection.
    mutating func renew() throws {
        session?.close()
        // When opening fails, the place is given up.
        session = nil
        session = try pool.open()
    }

    mutating func end() {
        if let session { pool.give(session) }
        session = nil
    }
}
