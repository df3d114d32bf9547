import DBClientCore
import DBClientTesting

/// The reference client with a fault, or without one.
final class FaultyClient: EngineBackedClient {
    let engine: any Engine

    init(_ fault: Fault?) {
        engine = FaultyEngine(InMemoryDBClient().engine, fault)
    }
}

private final class FaultyEngine: Engine {
    private let base: any Engine
    private let fault: Fault?

    init(_ base: any Engine, _ fault: Fault?) {
        self.base = base
        self.fault = fault
    }

    var hub: ChangeHub? { base.hub }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try base.readBlocking { try body(FaultyReader($0, fault)) }
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try base.writeBlocking { try body(FaultyWriter($0, fault)) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        let fault = fault
        return try await base.write { try body(FaultyWriter($0, fault)) }
    }

    func close() throws {
        try base.close()
    }
}
