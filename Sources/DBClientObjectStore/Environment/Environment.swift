import CLMDB
import DBClientCore
import Foundation
import Synchronization

/// An open LMDB environment: the file, its map, its idle readers.
///
/// LMDB's own rules, kept here and in the registry: one environment for a file in a process; no use
/// after a fork; no network file system; the map is resized only while no transaction runs.
final class Environment: @unchecked Sendable {
    let handle: OpaquePointer
    let catalog: Catalog
    /// What processes share beside the rows; nil where the store has no room for it, or no other process
    /// can have it open.
    let shared: SharedTables?
    /// The size of the pages that scans read where they lie; 0 where they do not.
    let pageSize: Int
    private let path: String
    private let pool = Mutex(Pool())
    /// The snapshots that are held across calls.
    private let lent = Mutex<[LentSnapshot]>([])

    private struct Pool {
        var idle: [StoreReader] = []
        /// How many transactions run, or are about to.
        var activeCount = 0
        var writeCount = 0
        var isResizing = false
        var isClosed = false
    }

    /// How an environment is opened.
    struct Options: Equatable {
        var durability: Durability
        /// Whether the store goes with its client, so that nothing need reach the disk and no other process
        /// can open it.
        var isTemporary = false
        var mapSize: Int
        var maximumReaders: UInt32
        var maximumTables: UInt32
    }

    init(path: String, _ options: Options) throws {
        self.path = path
        Fork.watch()
        try Fork.check()
        try StoreFile.prepare(path)
        handle = try Self.open(path, options)
        pageSize = TableWalk.pageSize(of: handle)
        do {
            // Readers that died with their process would keep old pages for ever.
            try check(mdb_reader_check(handle, nil))
            // A store whose disk is full may lack the tables that an earlier version did not make.
            let names = [Journal.tableName, WatcherTable.tableName]
            let tables = options.isTemporary ? nil : try? Self.openTables(names, handle)
            shared = tables.map {
                SharedTables(journal: Journal(table: $0[0]), watchers: WatcherTable(table: $0[1]))
            }
            catalog = try Catalog(handle)
        } catch {
            mdb_env_close(handle)
            throw error
        }
    }

    /// Opens with the largest map that the address space allows; a map takes no disk.
    private static func open(_ path: String, _ options: Options) throws -> OpaquePointer {
        var size = options.mapSize
        while true {
            var created: OpaquePointer?
            try check(mdb_env_create(&created))
            guard let handle = created else { throw lmdbError(ENOMEM) }
            let code = open(handle, path, options, mapSize: size)
            if code == 0 { return handle }
            // LMDB opens an environment once: after a failure it can only be closed.
            mdb_env_close(handle)
            guard code == ENOMEM || code == EINVAL, size > 64 << 20 else {
                throw lmdbError(code)
            }
            size /= 2
        }
    }

    private static func open(
        _ handle: OpaquePointer,
        _ path: String,
        _ options: Options,
        mapSize: Int
    ) -> Int32 {
        var code = mdb_env_set_maxreaders(handle, options.maximumReaders)
        if code == 0 { code = mdb_env_set_maxdbs(handle, options.maximumTables + 2) }
        if code == 0 { code = mdb_env_set_mapsize(handle, mapSize) }
        if code != 0 { return code }
        let syncing =
            options.isTemporary ? MDB_NOSYNC : options.durability == .full ? 0 : MDB_NOMETASYNC
        let flags = MDB_NOTLS | MDB_NOSUBDIR | syncing
        return mdb_env_open(handle, path, UInt32(flags), 0o600)
    }

    /// Opens the tables that the store keeps for itself, making those that are missing.
    private static func openTables(_ names: [String], _ handle: OpaquePointer) throws -> [MDB_dbi] {
        do {
            return try openTables(names, handle, mayMake: false)
        } catch let error as DBClientError
            where error.engineCode == .number(Int(MDB_NOTFOUND))
        {
            return try openTables(names, handle, mayMake: true)
        }
    }

    private static func openTables(
        _ names: [String],
        _ handle: OpaquePointer,
        mayMake: Bool
    ) throws -> [MDB_dbi] {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(handle, nil, UInt32(mayMake ? 0 : MDB_RDONLY), &transaction))
        var tables = [MDB_dbi](repeating: 0, count: names.count)
        for (position, name) in names.enumerated() {
            let flags = UInt32(mayMake ? MDB_CREATE : 0)
            let code = mdb_dbi_open(transaction, name, flags, &tables[position])
            if code != 0 {
                mdb_txn_abort(transaction)
                throw lmdbError(code)
            }
        }
        // LMDB frees the transaction whether or not the commit succeeds.
        try check(mdb_txn_commit(transaction))
        return tables
    }

    /// Takes a reader on the newest snapshot.
    @inline(__always)
    func takeReader() throws -> StoreReader {
        while true {
            try Fork.check()
            if let reader = try takeReaderUnlessResizing() { return reader }
            usleep(100)
        }
    }

    /// Takes a reader on the newest snapshot, or nil while the map is resized.
    @inline(__always)
    private func takeReaderUnlessResizing() throws -> StoreReader? {
        let (reader, mustWait) = try pool.withLock { pool -> (StoreReader?, Bool) in
            if pool.isClosed { throw DBClientError(.closed, "The client was closed.") }
            if pool.isResizing { return (nil, true) }
            pool.activeCount += 1
            return (pool.idle.popLast(), false)
        }
        if mustWait { return nil }
        do {
            if let reader {
                try reader.renew()
                return reader
            }
            return try makeReader()
        } catch {
            reader?.close()
            pool.withLock { $0.activeCount -= 1 }
            guard isMapResized(error) else { throw error }
            try resize(doubling: false)
            return nil
        }
    }

    /// Begins another reader; where every place for one is taken, those of processes that died are freed.
    private func makeReader() throws -> StoreReader {
        do {
            return try StoreReader(self)
        } catch {
            var freed: Int32 = 0
            guard mdb_reader_check(handle, &freed) == 0, freed > 0 else { throw error }
            return try StoreReader(self)
        }
    }

    /// Gives a reader back; its snapshot is released.
    @inline(__always)
    func giveBack(_ reader: StoreReader) {
        reader.reset()
        let isKept = pool.withLock { pool in
            let isKept = pool.idle.count < Self.idleLimit
            if isKept {
                pool.activeCount -= 1
                pool.idle.append(reader)
            }
            return isKept
        }
        if isKept { return }
        reader.close()
        pool.withLock { $0.activeCount -= 1 }
    }

    /// More idle readers than this are let go: each has a place in a table that all processes share.
    private static let idleLimit = 32

    /// Waits while the map is resized, and keeps it from being resized; ended by `endWrite`.
    func beginWrite() throws {
        while true {
            try Fork.check()
            let (count, mustWait) = pool.withLock { pool -> (Int, Bool) in
                if pool.isResizing { return (0, true) }
                pool.activeCount += 1
                pool.writeCount += 1
                return (pool.writeCount, false)
            }
            if mustWait {
                usleep(100)
                continue
            }
            // Readers that died with their process would keep old pages for ever.
            if count % Self.writesPerReaderCheck == 0 { mdb_reader_check(handle, nil) }
            return
        }
    }

    /// Lets the map be resized again.
    func endWrite() {
        pool.withLock { $0.activeCount -= 1 }
    }

    /// A look at the table of readers costs about as much as a small commit without its sync.
    private static let writesPerReaderCheck = 256

    /// Remembers a snapshot that is held across calls, to ask for it back when the map must grow.
    func lend(_ snapshot: any EngineSnapshot) {
        lent.withLock { lent in
            lent.removeAll { $0.snapshot == nil }
            lent.append(LentSnapshot(snapshot: snapshot))
        }
    }

    /// Lets go of every snapshot that is held across calls.
    private func recallSnapshots() {
        let recalled = lent.withLock { lent in
            defer { lent = [] }
            return lent.compactMap(\.snapshot)
        }
        for snapshot in recalled { snapshot.release() }
    }

    /// Doubles the map, or takes over the size that another process gave it.
    ///
    /// Waits until no transaction is active. A reader whose snapshot is larger than the map finds no
    /// writer of this process active, since nobody else can commit beside one.
    func resize(doubling: Bool) throws {
        while !pool.withLock({ pool in
            if pool.isResizing { return false }
            pool.isResizing = true
            return true
        }) { usleep(100) }
        defer { pool.withLock { $0.isResizing = false } }
        recallSnapshots()
        while pool.withLock({ $0.activeCount > 0 }) { usleep(100) }
        var size = 0
        if doubling {
            var info = MDB_envinfo()
            try check(mdb_env_info(handle, &info))
            size = info.me_mapsize * 2
        }
        try check(mdb_env_set_mapsize(handle, size))
    }

    /// Looks up LMDB's number of the last commit of any process that a reader sees.
    ///
    /// The file's own head may be one ahead: a writer that was killed wrote it, and the next writer
    /// shows it to readers.
    ///
    /// - Parameter waits: Whether to wait while the map is resized.
    /// - Returns: The number; nil once the environment is closed, and while the map is resized when that
    ///   is not waited for.
    func lastCommit(waits: Bool) -> UInt64? {
        let taken = waits ? try? takeReader() : (try? takeReaderUnlessResizing()) ?? nil
        guard let reader = taken else { return nil }
        defer { giveBack(reader) }
        return reader.number
    }

    /// Throws the error of a return code of a call that writes to the file.
    ///
    /// LMDB calls a write that the disk took in part an I/O error; the space that is left tells a full
    /// disk from a broken one.
    func checkWritten(_ code: Int32) throws {
        guard code == EIO else { return try check(code) }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
        throw lmdbError(free < Self.largestWrite ? ENOSPC : EIO)
    }

    /// More than one call of LMDB's writes: 64 buffers of a page, or one value.
    private static let largestWrite: Int64 = 1 << 20

    /// Closes the file once every reader has ended.
    func close() {
        let isFirst = pool.withLock { pool in
            defer { pool.isClosed = true }
            return !pool.isClosed
        }
        guard isFirst else { return }
        recallSnapshots()
        while pool.withLock({ $0.activeCount > 0 }) { usleep(100) }
        pool.withLock { pool in
            for reader in pool.idle { reader.close() }
            pool.idle = []
        }
        mdb_env_close(handle)
    }
}

/// The tables by which processes tell each other what they commit.
struct SharedTables: Sendable {
    let journal: Journal
    let watchers: WatcherTable
}

/// A snapshot that a client holds.
private struct LentSnapshot {
    weak var snapshot: (any EngineSnapshot)?
}

/// Returns whether another process has made the file larger than this one's map.
private func isMapResized(_ error: any Error) -> Bool {
    (error as? DBClientError)?.engineCode == .number(Int(MDB_MAP_RESIZED))
}
