import CLMDB
import DBClientCore

/// The transactions of an environment: readers from its pool, writers through the queue.
final class ObjectStoreEngine: Sendable {
    let environment: Environment
    let queue: WriteQueue
    let hub = ChangeHub()
    private let watch: ForeignWatch

    init(_ environment: Environment) {
        self.environment = environment
        var registration: Registration?
        var reader: JournalReader?
        var writer: JournalWriter?
        if let tables = environment.shared {
            let own = Registration(tables.watchers)
            registration = own
            reader = JournalReader(environment, tables.journal, own)
            writer = JournalWriter(environment, tables, own, hub)
        }
        let clock = CommitClock(environment) { [weak hub, reader] numbers in
            if let reader, let numbers {
                hub?.noteForeignCommit { reader.units(numbers, $0) }
            } else {
                hub?.noteForeignCommit()
            }
        }
        queue = WriteQueue(
            Committer(environment, clock, writer),
            label: "DBClientObjectStore.writer",
            hub: hub
        )
        watch = ForeignWatch(clock, registration, queue)
        hub.add(watch)
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
        hub.remove(watch)
        queue.close { environment.close() }
    }
}

/// Group commit over LMDB's one writer.
private final class Committer: GroupCommitter {
    private let environment: Environment
    private let clock: CommitClock
    private let journal: JournalWriter?
    /// What lost the last transaction, if it was lost.
    ///
    /// Used by the thread whose turn it is to write.
    private nonisolated(unsafe) var loss: (any Error)?

    init(_ environment: Environment, _ clock: CommitClock, _ journal: JournalWriter?) {
        self.environment = environment
        self.clock = clock
        self.journal = journal
    }

    func begin() throws -> any EngineWriter {
        loss = nil
        let writer = try StoreWriter(environment)
        clock.enter(writer.number)
        journal?.begin(writer)
        return writer
    }

    func prepare(_ writer: any EngineWriter, units: [CapturedUnit]?) throws {
        guard let writer = writer as? StoreWriter else { return }
        clock.enter(writer.number)
        if let journal { try writer.guarded { try journal.prepare(writer, units) } }
        if writer.hasWritten { clock.willCommit() }
    }

    func commit(_ writer: any EngineWriter) throws {
        guard let writer = writer as? StoreWriter else { return }
        try writer.commit()
        clock.leave(tookNumber: writer.hasWritten)
        journal?.end(writer, hasCommitted: true)
    }

    func rollback(_ writer: any EngineWriter) {
        guard let writer = writer as? StoreWriter else { return }
        loss = writer.failure
        writer.abort()
        clock.leave(tookNumber: false)
        journal?.end(writer, hasCommitted: false)
    }

    func recover(from error: any Error) -> (any Error)? {
        // A unit that went on after it lost the transaction has thrown another error, or none.
        guard case .number(let code)? = ((loss ?? error) as? DBClientError)?.engineCode else {
            return error
        }
        do {
            switch Int32(truncatingIfNeeded: code) {
            case MDB_MAP_FULL: try environment.resize(isFull: true)
            case MDB_MAP_RESIZED: try environment.resize(isFull: false)
            default:
                // What the journal needs must not keep the store from being written.
                journal?.giveUp()
                return error
            }
            return nil
        } catch {
            return error
        }
    }
}
