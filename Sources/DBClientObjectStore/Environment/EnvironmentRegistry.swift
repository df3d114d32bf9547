import CLMDB
import DBClientCore
import Dispatch
import Synchronization

/// The engines that are open in this process, by file.
///
/// LMDB's locks break when a process opens one file twice, so clients of one file share its engine,
/// and it closes with the last of them. They break as well when a store's file is deleted, moved or replaced while it is
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

    private static let entries = Mutex<[FileID: Entry]>([:])

    static func open(
        _ path: String,
        _ options: Environment.Options,
        _ limits: SnapshotAges.Limits = SnapshotAges.Limits(),
        key: StoreKey? = nil
    ) throws -> ObjectStoreEngine {
        try Fork.check()
        while true {
            let (engine, closing) = try entries.withLock {
                try take(path, options, limits, key, from: &$0)
            }
            if let engine { return engine }
            closing?.wait()
        }
    }

    /// Returns the engine of a file, or what to wait for before it can be opened again.
    private static func take(
        _ path: String,
        _ options: Environment.Options,
        _ limits: SnapshotAges.Limits,
        _ key: StoreKey?,
        from entries: inout [FileID: Entry]
    ) throws -> (ObjectStoreEngine?, DispatchGroup?) {
        if let id = FileID(at: path), var entry = entries[id] {
            if let closing = entry.closing { return (nil, closing) }
            if !entry.engine.environment.place.hasFile { throw moved() }
            guard entry.options.agree(with: options) else {
                throw DBClientError(
                    .invalidRequest,
                    "The store is open in this process with other options.",
                    hint: "Give the same durability and busyTimeout, or share one client."
                )
            }
            try entry.engine.environment.checkKey(key)
            entry.clientCount += 1
            entries[id] = entry
            return (entry.engine, nil)
        }
        let lockPath = LockFile.path(of: path)
        if let lock = FileID(at: lockPath),
            let other = entries.values.first(where: { $0.lock == lock })
        {
            if let closing = other.closing { return (nil, closing) }
            throw moved()
        }
        let environment = try Environment(path: path, options, limits, key: key)
        let id: FileID
        do {
            id = FileID(try environment.openFile())
        } catch {
            environment.close()
            throw error
        }
        let engine = ObjectStoreEngine(environment)
        entries[id] = Entry(
            engine: engine,
            options: options,
            lock: FileID(at: lockPath),
            clientCount: 1
        )
        return (engine, nil)
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
        let last: (id: FileID, closing: DispatchGroup)? = entries.withLock { entries in
            guard let (id, entry) = entries.first(where: { $0.value.engine === engine }) else {
                return nil
            }
            entries[id]?.clientCount -= 1
            guard entry.clientCount == 1 else { return nil }
            let closing = DispatchGroup()
            closing.enter()
            entries[id]?.closing = closing
            return (id, closing)
        }
        guard let last else { return }
        // Not under the lock: a write that is waited for may open or close another store.
        engine.shutDown()
        entries.withLock { $0[last.id] = nil }
        last.closing.leave()
    }

    /// Whether an engine has no client left and waits for the writes under way, so that its file cannot be opened
    /// until it has ended.
    static func isClosing(_ engine: ObjectStoreEngine) -> Bool {
        entries.withLock { entries in
            entries.values.contains { $0.engine === engine && $0.closing != nil }
        }
    }
}
