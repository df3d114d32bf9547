/// The protocol that a backend implements: transactions over rows.
///
/// Every convenience is written once above it.
///
/// An engine knows schemas, rows and closed queries, and never a model. Rows cross the border in
/// batches of slots that borrow the engine's own bytes, so nothing is allocated for a row.
///
/// Errors that leave an engine are `DBClientError`.
public protocol Engine: AnyObject, Sendable {
    /// Runs a body in a read transaction: one snapshot from its first statement to its end.
    ///
    /// Blocks the caller's thread.
    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value

    /// Runs a body in a read transaction without blocking the caller's executor for long.
    ///
    /// The default runs the body on the caller's thread, which is right for an engine that answers
    /// in microseconds from memory; an engine over a network overrides it.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value

    /// Runs a body that makes one call on the reader, for which an engine may do without the transaction.
    ///
    /// The body may run again. Blocks the caller's thread. The default is a read transaction.
    func readOnceBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value

    /// Runs a body that makes one call on the reader without blocking the caller's executor for long.
    func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value

    /// Runs a body in a write transaction: atomic, serialisable, durable when the call returns.
    ///
    /// A body that throws is rolled back. Blocks the caller's thread. The body may run again when
    /// the engine has to repeat the transaction.
    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value

    /// Runs a body in a write transaction without blocking the caller's executor. The default blocks a thread of the
    /// system's pool.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value

    /// The name of the database system in monitoring: for those that OpenTelemetry's conventions name, that
    /// name, such as `sqlite`.
    ///
    /// The default is the name of the engine's type.
    var systemName: String { get }

    /// The hub that tells the store's observers of its commits; nil, the default, when the engine cannot be
    /// observed.
    ///
    /// An engine with a ``WriteQueue`` makes one hub for a store and gives it to the queue.
    var hub: ChangeHub? { get }

    /// Opens a snapshot that stays across calls until it is released; nil where the engine holds none, which
    /// is the default.
    func openSnapshot() throws -> (any EngineSnapshot)?

    /// Releases everything; later calls throw `.closed`.
    func close() throws
}
