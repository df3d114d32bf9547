import CLMDB
import DBClientCore

/// The transactions of an environment: readers from its pool, writers through the queue.
final class ObjectStoreEngine: Sendable {
    let environment: Environment
    let queue: WriteQueue
    let hub = ChangeHub()
    private let clock: CommitClock

    init(_ environment: Environment) {
        self.environment = environment
        clock = CommitClock(environment, hub)
        queue = WriteQueue(
            Committer(environment, clock),
            label: "DBClientObjectStore.writer",
            hub: hub
        )
        hub.add(clock)
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        let reader = try environment.takeReader()
        defer { environment.giveBack(reader) }
        return try body(reader)
    }

    /// Keeps a reader on the newest snapshot until it is let go, or the environment asks for it back.
    func openSnapshot(check: @escaping @Sendable () throws -> Void) throws -> any EngineSnapshot {
        let environment = environment
        let snapshot = HeldReader(try environment.takeReader(), check: check) {
            environment.giveBack($0)
        }
        environment.lend(snapshot)
        return snapshot
    }

    func shutDown() {
        hub.remove(clock)
        queue.close { environment.close() }
    }
}

/// Group commit over LMDB's one writer.
private final class Committer: GroupCommitter {
    private let environment: Environment
    private let clock: CommitClock

    init(_ environment: Environment, _ clock: CommitClock) {
        self.environment = environment
        self.clock = clock
    }

    func begin() throws -> any EngineWriter {
        let writer = try StoreWriter(environment)
        clock.enter(writer.number)
        return writer
    }

    func commit(_ writer: any EngineWriter) throws {
        guard let writer = writer as? StoreWriter else { return }
        clock.enter(writer.number)
        try writer.commit()
        clock.leave(hasCommitted: true)
    }

    func rollback(_ writer: any EngineWriter) {
        guard let writer = writer as? StoreWriter else { return }
        writer.abort()
        clock.leave(hasCommitted: false)
    }

    func recover(from error: any Error) -> Bool {
        guard case .number(let code)? = (error as? DBClientError)?.engineCode else { return false }
        switch Int32(truncatingIfNeeded: code) {
        case MDB_MAP_FULL: return (try? environment.resize(doubling: true)) != nil
        case MDB_MAP_RESIZED: return (try? environment.resize(doubling: false)) != nil
        default: return false
        }
    }
}
