import DBClientCore
import DBClientTesting

// snippet: backend
/// A client of a store of one's own.
final class MyDBClient: EngineBackedClient {
    /// The engine.
    let engine: any Engine

    /// Opens a new store.
    init() {
        engine = MyEngine()
    }
}
// end snippet

/// An engine that hands everything to the in-memory one.
private final class MyEngine: Engine {
    private let base: any Engine = InMemoryDBClient().engine

    /// Tells its commits to those who observe.
    var hub: ChangeHub? { base.hub }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try base.readBlocking(body)
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try base.writeBlocking(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await base.write(body)
    }

    func close() throws {
        try base.close()
    }
}
