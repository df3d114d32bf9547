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
    /// What seals and opens the store's pages; nil for a store without a key.
    let sealed: SealedStore?
    /// What processes share beside the rows; nil where the store has no room for it, or no other process
    /// can have it open.
    let shared: SharedTables?
    /// Taken by every writer; nil where no other process can have the store open.
    private let processLock: ProcessLock?
    private let map: StoreMap
    /// The size of the pages that scans read where they lie; 0 where they do not.
    let pageSize: Int
    /// The size of the pages in which the records of scans lie; 0 where they are not read there.
    var recordPageSize: Int {
        sealed == nil || pageSize == 0 ? pageSize : SealedPage.memorySize
    }
    let path: String
    /// Where the file is, and whether it still is.
    let place: StorePlace
    /// How long a resize of the map waits for the transactions that run.
    private let busyTimeout: Duration
    private let pool = UnfairMutex(Pool())
    /// The size that the file had when it was last looked at.
    private let largestSize = Atomic(0)
    /// When the file was written to last; nil where that is not kept.
    private let writeRecord: WriteRecord?
    private let deadWriterCheck = OccasionalCheck(every: .milliseconds(5))
    /// How long snapshots have been held.
    let snapshots: SnapshotAges
    /// The snapshots that are held across calls.
    let lent = LentSnapshots()

    private struct Pool {
        var idle: [StoreReader] = []
        /// How many transactions run, or are about to.
        var activeCount = 0
        var writeCount = 0
        var isResizing = false
        var isClosed = false
    }

    init(
        path: String,
        _ options: Options,
        _ limits: SnapshotAges.Limits = SnapshotAges.Limits(),
        key: StoreKey? = nil
    ) throws {
        try key?.validate()
        if key != nil { try Cipher.checkPresence() }
        self.path = path
        snapshots = SnapshotAges(limits)
        busyTimeout = options.busyTimeout
        Fork.watch()
        try Fork.check()
        let tableCount = try StoreFile.prepare(path)
        if !options.isTemporary { try NewStoreFile.make(path, key) }
        let lock = try LockFile(of: path, readers: options.maximumReaders)
        let isDue = try Self.isCheckDue(path, lock.record, options)
        let isSound = try Self.verify(path, options, isDue: isDue)
        writeRecord = options.isTemporary ? nil : lock.record
        handle = try Self.open(path, options, tableCount: tableCount)
        pageSize = TableWalk.pageSize(of: handle)
        do {
            try Self.checkFiles(handle, path, lock: lock.id)
            let processLock = try Self.processLock(handle, options)
            self.processLock = processLock
            place = try Self.place(of: handle, path, isShared: processLock != nil)
            sealed = try SealedStore.open(handle, key, processLock, tables: NewStoreFile.tables)
            // Before the first commit of any process: the one that made the file may have been killed.
            if !options.isTemporary, try Self.isNew(handle) {
                NewStoreFile.removeLeftOvers(of: path)
                try NewStoreFile.syncFolder(of: path)
            }
            // Readers that died with their process would keep old pages for ever.
            try check(mdb_reader_check(handle, nil))
            shared = try options.isTemporary ? nil : Self.sharedTables(handle, processLock, sealed)
            catalog = try Catalog(handle, processLock, sealed)
            if let sealed, isDue { try Self.verify(sealed, handle) }
            map = StoreMap(handle)
            if isSound { try noteThatSound() }
        } catch {
            mdb_env_close(handle)
            throw error
        }
    }

    /// Notes that the file is sound as it is now, unless another process is writing to it.
    private func noteThatSound() throws {
        guard let writeRecord else { return }
        let file = try openFile()
        _ = processLock?.withLockUnlessTaken { writeRecord.begin(file) }
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

    /// Takes a reader on the newest snapshot, or nil while the map is resized or when it has to be; where
    /// another process has resized it, `resizes` says whether to do so here, which waits for every transaction.
    @inline(__always)
    private func takeReaderUnlessResizing(resizes: Bool = true) throws -> StoreReader? {
        let (reader, mustWait) = try pool.withLock { pool -> (StoreReader?, Bool) in
            if pool.isClosed { throw DBClientError(.closed, "The client was closed.") }
            if pool.isResizing { return (nil, true) }
            if map.isLost { throw StoreMap.lost() }
            pool.activeCount += 1
            return (pool.idle.popLast(), false)
        }
        if mustWait { return nil }
        var taken = reader
        do {
            if let reader { try reader.renew() }
            let reader = try reader ?? makeReader()
            taken = reader
            if map.hasCommit(after: reader.number) { try finishCommit(for: reader) }
            return reader
        } catch {
            taken?.close()
            pool.withLock { $0.activeCount -= 1 }
            guard isMapResized(error) else { throw error }
            if resizes { try resize(isFull: false) }
            return nil
        }
    }

    /// Shows a reader the commit of a process that died after it had written it and before it had published it
    /// to LMDB's readers: otherwise the next write would show it, at any later time.
    ///
    /// A process that is alive is about to publish it itself; it has the lock until then.
    @inline(never)
    private func finishCommit(for reader: StoreReader) throws {
        guard let processLock, deadWriterCheck.isDue() else { return }
        let isFinished = processLock.withLockUnlessTaken {
            // What is seen stays, and so does what was seen before a power cut.
            guard mdb_env_sync(handle, 1) == 0 else { return }
            // LMDB's own lock says that its holder is dead, and LMDB looks at the file again.
            var begun: OpaquePointer?
            if mdb_txn_begin(handle, nil, 0, &begun) == 0 { mdb_txn_abort(begun) }
        }
        guard isFinished else { return }
        reader.reset()
        try reader.renew()
    }

    /// Begins another reader; where every place for one is taken, those of processes that died are freed.
    private func makeReader() throws -> StoreReader {
        let reader: StoreReader
        do {
            reader = try StoreReader(self)
        } catch {
            var freed: Int32 = 0
            guard mdb_reader_check(handle, &freed) == 0, freed > 0 else { throw error }
            reader = try StoreReader(self)
        }
        snapshots.add(reader.start)
        return reader
    }

    /// Gives a reader back; its snapshot is released.
    @inline(__always)
    func giveBack(_ reader: StoreReader) {
        // The snapshot is the parent's, at its place in the table of readers that both have mapped.
        if Fork.isChild { return }
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

    /// More idle readers than this are freed: each has a place in a table that all processes share.
    private static let idleLimit = 32

    /// Waits for writes of other processes and while the map is resized, and keeps either from
    /// happening; ended by `endWrite`.
    ///
    /// - Throws: `.busy` when another process writes for longer than the time-out, `.io` when the file is known to be
    ///   lost, `.corrupt` when it became shorter, `.full` when the map was lost.
    func beginWrite() throws {
        try Fork.check()
        try processLock?.take()
        do {
            try checkFile()
            while try !beginWriteUnlessResizing() { usleep(100) }
            writeRecord?.beginWrite()
        } catch {
            processLock?.release()
            throw error
        }
    }

    private func beginWriteUnlessResizing() throws -> Bool {
        let (count, mustWait) = try pool.withLock { pool -> (Int, Bool) in
            if pool.isResizing { return (0, true) }
            if map.isLost { throw StoreMap.lost() }
            pool.activeCount += 1
            pool.writeCount += 1
            return (pool.writeCount, false)
        }
        // Readers that died with their process would keep old pages for ever.
        if count % Self.writesPerReaderCheck == 0, !mustWait { mdb_reader_check(handle, nil) }
        return !mustWait
    }

    /// Notices a file that has no name any more, and one that something made shorter, which LMDB never does: beyond
    /// its end the map has nothing, and to touch it would end the process.
    private func checkFile() throws {
        let file = try openFile()
        try place.checkBeforeWriting(to: file)
        let size = Int(file.size)
        let largest = largestSize.max(size, ordering: .relaxed).newValue
        if size < largest { try checkShortened(to: size) }
    }

    /// Tells a file from whose end `compact` has taken free pages, in any process, from one that lacks pages which are
    /// in use.
    private func checkShortened(to size: Int) throws {
        guard let newest = try StoreFile.newestMeta(path),
            try StoreFile.hasEveryPage(path, newest)
        else { throw PageFile.damaged("The store's file became shorter while it was open.") }
        largestSize.store(size, ordering: .relaxed)
    }

    /// Throws when what the file holds is not what was committed last, since something was copied over it.
    ///
    /// Asked by the transaction that writes, with the number of the last commit by LMDB's readers.
    func checkContent(_ number: UInt64) throws {
        guard !map.holds(commit: number), processLock != nil else { return }
        throw place.loss()
    }

    /// Notes what the file says of this process's own commit.
    func noteCommit() { map.noteCommit() }

    /// Throws when the file was deleted, moved or replaced, or a write has found that something was copied over it.
    func checkPresence() throws {
        if place.isLost { return try place.check() }
        // As long as there is a reader, the file is open.
        guard let reader = (try? takeReaderUnlessResizing(resizes: false)) ?? nil else { return }
        defer { giveBack(reader) }
        try place.check()
    }

    /// Throws when the file was deleted, moved or replaced, or something was copied over it.
    func checkBeforeClosing() throws {
        guard !Fork.isChild, !map.isLost, let file = try? openFile() else { return }
        try place.check()
        // The two pages that a reader begins with.
        guard pageSize > 0, Int(file.size) >= 2 * pageSize, let reader = try? takeReader() else {
            return
        }
        defer { giveBack(reader) }
        if map.hasLost(commit: reader.number), processLock != nil { throw place.loss() }
    }

    /// Notes that this process has made the file shorter.
    func noteShortened(to size: Int) { largestSize.store(size, ordering: .relaxed) }

    /// The file that is open, whatever its path names by now.
    func openFile() throws -> clmdb_file {
        var descriptor: Int32 = -1
        var file = clmdb_file()
        try check(mdb_env_get_fd(handle, &descriptor))
        try check(clmdb_file_of(descriptor, &file))
        return file
    }

    /// Lets other processes write, and the map be resized again.
    func endWrite() {
        writeRecord?.endWrite()
        pool.withLock { $0.activeCount -= 1 }
        processLock?.release()
        lent.recallIfGrown(largestSize.load(ordering: .relaxed))
        if snapshots.warns { snapshots.warnIfDue { [weak self] in try? self?.statistics() } }
    }

    /// Remembers a snapshot that is held across calls, to ask for it back when the map or the file has to stop growing.
    func lend(_ snapshot: any EngineSnapshot, liveSize: Int) {
        let fileSize = (try? openFile()).map { Int($0.size) } ?? 0
        lent.add(snapshot, fileSize: fileSize, liveSize: liveSize)
    }

    /// A look at the table of readers costs about as much as a small commit without its sync.
    private static let writesPerReaderCheck = 256

    /// Lets the map grow, or takes over what another process has made of the file.
    ///
    /// Waits until no transaction is active. A reader whose snapshot is larger than the map finds no
    /// writer of this process active, since no other process can commit beside one.
    ///
    /// - Throws: `.busy` when a transaction runs for longer than the time-out: it may itself wait for this one;
    ///   `.full` when the address space has no room, and all is as it was.
    func resize(isFull: Bool) throws {
        let deadline = ContinuousClock.now + busyTimeout
        while !pool.withLock({ pool in
            if pool.isResizing { return false }
            pool.isResizing = true
            return true
        }) { usleep(100) }
        defer { pool.withLock { $0.isResizing = false } }
        if map.isLost { throw StoreMap.lost() }
        // Before any reader is waited for, or loses a snapshot.
        guard let size = try map.nextSize(isFull: isFull) else { return }
        lent.recall()
        while pool.withLock({ $0.activeCount > 0 }) {
            guard ContinuousClock.now < deadline else {
                throw DBClientError(
                    .busy,
                    "The store's map must grow, for which every transaction has to end.",
                    hint: "Keep transactions short, and none open while waiting for another."
                )
            }
            usleep(100)
        }
        try map.resize(to: size)
    }

    /// Looks up LMDB's number of the last commit of any process that a reader sees.
    ///
    /// The file's own head may be one ahead: a writer that was killed wrote it, and the next writer
    /// shows it to readers.
    ///
    /// - Parameter waits: Whether to wait for the map to be resized, which inside a transaction would be for
    ///   itself.
    /// - Returns: The number; nil once the environment is closed, and when the map has to be resized and that
    ///   is not waited for.
    func lastCommit(waits: Bool) -> UInt64? {
        let taken =
            waits ? try? takeReader() : (try? takeReaderUnlessResizing(resizes: false)) ?? nil
        guard let reader = taken else { return nil }
        defer { giveBack(reader) }
        return reader.number
    }

    /// Closes the file once every reader has ended.
    func close() {
        let isFirst = pool.withLock { pool in
            defer { pool.isClosed = true }
            return !pool.isClosed
        }
        guard isFirst else { return }
        lent.recall()
        while pool.withLock({ $0.activeCount > 0 }) { usleep(100) }
        pool.withLock { pool in
            for reader in pool.idle { reader.close() }
            pool.idle = []
        }
        mdb_env_close(handle)
        sealed?.close()
    }
}

/// Returns whether another process has made the file larger than this one's map.
private func isMapResized(_ error: any Error) -> Bool {
    (error as? DBClientError)?.engineCode == .number(Int(MDB_MAP_RESIZED))
}
