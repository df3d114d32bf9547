import DBClientCore
import Synchronization

// snippet: backend
/// A client of a store of dictionaries, gone with the client.
final class DictionaryDBClient: EngineBackedClient {
    /// The engine.
    let engine: any Engine = DictionaryEngine()
}

/// Runs transactions: a read sees the tables as they were when it began, a write works on a copy.
private final class DictionaryEngine: Engine {
    private let store = CommittedTables()
    private let changes = ChangeHub()
    /// Runs one write after another, and tells the hub what each did.
    private let queue: WriteQueue

    var hub: ChangeHub? { changes }

    init() {
        queue = WriteQueue(store, label: "DictionaryDBClient", hub: changes)
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try body(DictionaryReader(store.tables(), store.usage))
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try queue.runBlocking(body)
    }

    func close() throws {
        queue.close { store.close() }
    }
}
// end snippet

/// What is committed; nil when the client was closed.
private final class CommittedTables: GroupCommitter {
    private let state = Mutex<[EntityName: DictionaryTable]?>([:])
    /// The models in use, whose delete rules are taken over.
    let usage = ModelUsage()

    func tables() throws -> [EntityName: DictionaryTable] {
        guard let tables = state.withLock({ $0 }) else {
            throw DBClientError(.closed, "The client was closed.")
        }
        return tables
    }

    func close() { state.withLock { $0 = nil } }

    func begin() throws -> any EngineWriter { DictionaryWriter(try tables(), usage) }

    func commit(_ writer: any EngineWriter) throws {
        guard let writer = writer as? DictionaryWriter else { return }
        state.withLock { $0 = writer.tables }
    }

    /// The copy is let go with its writer.
    func rollback(_ writer: any EngineWriter) {}
}
