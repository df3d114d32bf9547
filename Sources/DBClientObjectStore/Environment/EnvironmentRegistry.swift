import CLMDB
import DBClientCore
import Dispatch
import Synchronization

/// The engines that are open in this process, by file.
///
/// LMDB's locks break when a process opens one file twice, so clients of one file share its engine, which one of them
/// opens while the others wait, and it closes with the last of them. They break as well when a store's file is deleted, moved or replaced while it is
/// open: whatever is opened under its name next would have the second file, with the locks, in common with it.
enum EnvironmentRegistry {
    private struct Entry {
        let engine: ObjectStoreEngine
        let options: Environment.Options
        /// The file that LMDB keeps its locks in.
        let lock: FileID?
        var clientCount: Int
        /// Left when the engine is closed; nil as long as it has clients.
        var closing: DispatchGroup?
    }

    private struct State {
        var entries: [FileID: Entry] = [:]
        var openings: [PendingOpening] = []
    }

    /// What a caller has to do next to get the engine of a file.
    private enum Step {
        /// To check its key: it is a client of the engine already, so that no other closes it.
        case check(ObjectStoreEngine)
        /// To wait for another that opens or closes the file.
        case wait(DispatchGroup)
        /// To open the file, for which others wait.
        case open(PendingOpening)
    }

    private static let state = Mutex(State())

    static func open(
        _ path: String,
        _ options: Environment.Options,
        _ limits: SnapshotAges.Limits = SnapshotAges.Limits(),
        key: StoreKey? = nil
    ) throws -> ObjectStoreEngine {
        while true {
            try Fork.check()
            // Neither a key is derived nor a file opened under the lock: both take a while.
            switch try state.withLock({ try step(path, options, &$0) }) {
            case .wait(let group): group.wait()
            case .check(let engine):
                do {
                    try engine.environment.checkKey(key)
                } catch {
                    close(engine)
                    throw error
                }
                return engine
            case .open(let opening):
                defer { end(opening) }
                let environment = try Environment(path: path, options, limits, key: key)
                do {
                    return try add(environment, options, path)
                } catch {
                    environment.close()
                    throw error
                }
            }
        }
    }

    private static func step(
        _ path: String,
        _ options: Environment.Options,
        _ state: inout State
    ) throws -> Step {
        if let id = FileID(at: path), let entry = state.entries[id] {
            if let closing = entry.closing { return .wait(closing) }
            if !entry.engine.environment.place.hasFile { throw moved() }
            guard entry.options.agree(with: options) else {
                throw DBClientError(
                    .invalidRequest,
                    "The store is open in this process with other options.",
                    hint: "Give the same durability and busyTimeout, or share one client."
                )
            }
            state.entries[id]?.clientCount += 1
            return .check(entry.engine)
        }
        let opening = PendingOpening(path)
        if let other = state.openings.first(where: opening.concerns) { return .wait(other.ended) }
        let lockPath = LockFile.path(of: path)
        if let lock = FileID(at: lockPath),
            let other = state.entries.values.first(where: { $0.lock == lock })
        {
            if let closing = other.closing { return .wait(closing) }
            throw moved()
        }
        state.openings.append(opening)
        return .open(opening)
    }

    /// Adds the engine of a file that was opened.
    private static func add(
        _ environment: Environment,
        _ options: Environment.Options,
        _ path: String
    ) throws -> ObjectStoreEngine {
        let id = FileID(try environment.openFile())
        let lock = FileID(at: LockFile.path(of: path))
        let engine = ObjectStoreEngine(environment)
        try state.withLock { state in
            // A second name that was given to the file while it was being opened.
            if state.entries[id] != nil { throw moved() }
            state.entries[id] = Entry(
                engine: engine,
                options: options,
                lock: lock,
                clientCount: 1
            )
        }
        return engine
    }

    /// Lets those go on that wait for a file to be opened.
    private static func end(_ opening: PendingOpening) {
        state.withLock { $0.openings.removeAll { $0 === opening } }
        opening.ended.leave()
    }

    private static func moved() -> DBClientError {
        DBClientError(
            .invalidRequest,
            "The store's file was deleted, moved or replaced while this process had it open.",
            hint: "Close every client that was opened before, then open the store again."
        )
    }

    /// Lets go of an engine once; the last client closes it, and waits for the writes under way.
    static func close(_ engine: ObjectStoreEngine) {
        let last: (id: FileID, closing: DispatchGroup)? = state.withLock { state in
            guard let (id, entry) = state.entries.first(where: { $0.value.engine === engine })
            else {
                return nil
            }
            state.entries[id]?.clientCount -= 1
            guard entry.clientCount == 1 else { return nil }
            let closing = DispatchGroup()
            closing.enter()
            state.entries[id]?.closing = closing
            return (id, closing)
        }
        guard let last else { return }
        // Not under the lock: a write that is waited for may open or close another store.
        engine.shutDown()
        state.withLock { $0.entries[last.id] = nil }
        last.closing.leave()
    }

    /// Whether an engine has no client left and waits for the writes under way, so that its file cannot be opened
    /// until it has ended.
    static func isClosing(_ engine: ObjectStoreEngine) -> Bool {
        state.withLock { state in
            state.entries.values.contains { $0.engine === engine && $0.closing != nil }
        }
    }
}
