import CLMDB
import DBClientCore
import Dispatch
import Synchronization

/// The transactions of an environment: readers from its pool, writers through the queue.
final class ObjectStoreEngine: Sendable {
    let environment: Environment
    let queue: WriteQueue
    let hub = ChangeHub()
    private let watch: ForeignWatch
    private let committer: Committer

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
        committer = Committer(environment, clock, writer)
        queue = WriteQueue(
            committer,
            label: "DBClientObjectStore.writer",
            hub: hub
        )
        watch = ForeignWatch(clock, registration, environment, hub, queue)
        hub.add(watch)
    }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        let reader = try environment.takeReader()
        defer { environment.giveBack(reader) }
        return try body(reader)
    }

    /// Keeps a reader on the newest snapshot until it is released, or the environment asks for it back.
    func openSnapshot(check: @escaping @Sendable () throws -> Void) throws -> any EngineSnapshot {
        let environment = environment
        let reader = try environment.takeReader()
        let pageCount = environment.catalog.pageCount(in: reader.transaction)
        let liveSize = pageCount * environment.recordPageSize
        let snapshot = HeldSnapshot(reader, check: check) { environment.giveBack($0) }
        environment.lend(snapshot, liveSize: liveSize)
        if let age = environment.snapshots.limits.maximum {
            let end = DispatchTime.now() + .nanoseconds(age.nanoseconds)
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak snapshot] in
                snapshot?.release()
            }
        }
        return snapshot
    }

    /// Gives the room of free pages back, in its turn among the writes.
    func compact() throws -> Int {
        let compaction = Compaction()
        committer.wanted.withLock { $0.append(compaction) }
        try queue.runBlocking { _ in }
        // Without one its unit went into a transaction that had begun before.
        if compaction.result.withLock({ $0 == nil }) { try queue.runBlocking { _ in } }
        guard let result = compaction.result.withLock({ $0 }) else {
            throw DBClientError(.busy, "The store is being written to.", hint: "Try again.")
        }
        return try result.get()
    }

    /// Seals the store's data key with another key, in a write of its own.
    func rekey(to key: StoreKey) throws {
        try key.validate()
        guard let sealed = environment.sealed else { throw SealedStore.notEncrypted() }
        // The derivation takes its time before any other write has to wait.
        let header = try sealed.header(for: key)
        try queue.runBlocking { writer in
            guard let writer = writer as? StoreWriter else { return }
            try writer.guarded { try sealed.write(header, writer.transaction) }
            writer.noteWrite()
        }
    }

    func version() throws -> StoreVersion {
        guard let sealed = environment.sealed else { throw SealedStore.notEncrypted() }
        let reader = try environment.takeReader()
        defer { environment.giveBack(reader) }
        let handle = reader.transaction.handle
        let root = try sealed.root(handle, sealed.number(handle))
        return StoreVersion(store: try sealed.keys.storeIdentity(), commits: root.commitCount)
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
    /// The compactions that callers wait for.
    let wanted = Mutex<[Compaction]>([])
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
        compactIfWanted()
        let writer = try StoreWriter(environment)
        clock.enter(writer.number)
        journal?.begin(writer)
        return writer
    }

    /// Compacts the store before a transaction begins, of which there is one at a time.
    private func compactIfWanted() {
        let wanted = wanted.withLock { wanted in
            defer { if !wanted.isEmpty { wanted = [] } }
            return wanted
        }
        if wanted.isEmpty { return }
        let result = Result { try environment.compact() }
        for compaction in wanted { compaction.result.withLock { $0 = result } }
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
