import DBClientCore
import DBClientObjectStore
import Synchronization

/// A client that counts the readings of its engine.
final class ReadCountingClient: EngineBackedClient {
    let engine: any Engine
    /// Held, since a client that is let go closes.
    private let base: ObjectStoreDBClient
    private let counter: ReadCounter

    var readCount: Int { counter.count.load(ordering: .relaxed) }

    init(_ base: ObjectStoreDBClient) {
        self.base = base
        counter = ReadCounter(base.engine)
        engine = counter
    }
}

private final class ReadCounter: Engine {
    private let base: any Engine
    let count = Atomic(0)

    init(_ base: any Engine) {
        self.base = base
    }

    var hub: ChangeHub? { base.hub }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        count.add(1, ordering: .relaxed)
        return try base.readBlocking(body)
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try base.writeBlocking(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await base.write(body)
    }

    func openSnapshot() throws -> (any EngineSnapshot)? { nil }

    func close() throws {
        try base.close()
    }
}
