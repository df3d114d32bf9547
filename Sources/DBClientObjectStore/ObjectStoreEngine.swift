import CLMDB
import DBClientCore

/// The transactions of an environment: readers from its pool, writers through the queue.
final class ObjectStoreEngine: Sendable {
    let environment: Environment
    let queue: WriteQueue

    init(_ environment: Environment) {
        self.environment = environment
        queue = WriteQueue(Committer(environment), label: "DBClientObjectStore.writer")
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        let reader = try environment.takeReader()
        defer { environment.giveBack(reader) }
        return try body(reader)
    }

    func shutDown() {
        queue.close { environment.close() }
    }
}

/// Group commit over LMDB's one writer.
private final class Committer: GroupCommitter {
    private let environment: Environment

    init(_ environment: Environment) {
        self.environment = environment
    }

    func begin() throws -> any EngineWriter {
        try StoreWriter(environment)
    }

    func commit(_ writer: any EngineWriter) throws {
        guard let writer = writer as? StoreWriter else { return }
        try writer.commit()
    }

    func rollback(_ writer: any EngineWriter) {
        guard let writer = writer as? StoreWriter else { return }
        writer.abort()
    }

    func recover(from error: any Error) -> Bool {
        guard let code = (error as? DBClientError)?.engineCode else { return false }
        switch Int32(truncatingIfNeeded: code) {
        case MDB_MAP_FULL: return (try? environment.resize(doubling: true)) != nil
        case MDB_MAP_RESIZED: return (try? environment.resize(doubling: false)) != nil
        default: return false
        }
    }
}
