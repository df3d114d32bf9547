import DBClientCore

/// An engine whose state is one value: a transaction works on a copy, and a commit puts the copy in
/// its place.
final class MemoryEngine: PreviewingEngine {
    private let cell: MemoryCell
    private let queue: WriteQueue
    private let changes = ChangeHub()

    let systemName = "memory"
    var hub: ChangeHub? { changes }
    let previewed: (any DBClient)?

    init(previewing client: (any DBClient)? = nil) {
        previewed = client
        cell = MemoryCell(MemoryStore(over: client.map { PreviewedStore($0) }))
        queue = WriteQueue(cell, label: "DBClientTesting.InMemoryDBClient", hub: changes)
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try body(MemoryReader(cell.current()))
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try queue.runBlocking(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try await queue.run(body)
    }

    func openSnapshot() throws -> (any EngineSnapshot)? {
        let cell = cell
        return HeldSnapshot(MemoryReader(try cell.current())) {
            _ = try cell.current()
        } giveBack: { _ in
        }
    }

    func close() throws {
        queue.close { cell.close() }
    }
}

/// The committed state, and the one writer's way to it.
private final class MemoryCell: GroupCommitter {
    private let state: UnfairMutex<MemoryStore?>

    init(_ store: MemoryStore) {
        state = UnfairMutex(store)
    }

    func current() throws -> MemoryStore {
        guard let store = state.withLock({ $0 }) else {
            throw DBClientError(.closed, "The client was closed.")
        }
        return store
    }

    func close() {
        state.withLock { $0 = nil }
    }

    func begin() throws -> any EngineWriter {
        MemoryWriter(try current())
    }

    func commit(_ writer: any EngineWriter) throws {
        guard let writer = writer as? MemoryWriter else { return }
        state.withLock { $0 = writer.store }
    }

    func rollback(_ writer: any EngineWriter) {}

    func recover(from error: any Error) -> (any Error)? { error }
}
