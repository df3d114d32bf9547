import CLMDB
import DBClientCore
import Foundation

extension Environment {
    /// Opens with the largest map that the address space allows; a map takes no disk.
    ///
    /// There is room for twice as many tables as the store has when it is opened.
    static func open(
        _ path: String,
        _ options: Options,
        tableCount: Int
    ) throws -> OpaquePointer {
        var size = options.mapSize
        while true {
            var created: OpaquePointer?
            try check(mdb_env_create(&created))
            guard let handle = created else { throw DBClientError.lmdb(ENOMEM) }
            let code = open(handle, path, options, tableCount, mapSize: size)
            if code == 0 { return handle }
            // LMDB opens an environment once: after a failure it can only be closed.
            mdb_env_close(handle)
            guard code == ENOMEM || code == EINVAL, size > 64 << 20 else {
                throw code == ENOMEM ? StoreMap.noRoom() : DBClientError.lmdb(code)
            }
            size /= 2
        }
    }

    private static func open(
        _ handle: OpaquePointer,
        _ path: String,
        _ options: Options,
        _ tableCount: Int,
        mapSize: Int
    ) -> Int32 {
        var code = mdb_env_set_maxreaders(handle, options.maximumReaders)
        let tables = max(options.maximumTables, UInt32(clamping: 2 * tableCount))
        if code == 0 { code = mdb_env_set_maxdbs(handle, tables) }
        if code == 0 { code = mdb_env_set_mapsize(handle, mapSize) }
        if code != 0 { return code }
        let syncing =
            options.isTemporary ? MDB_NOSYNC : options.durability == .full ? 0 : MDB_NOMETASYNC
        let flags = MDB_NOTLS | MDB_NOSUBDIR | syncing
        return mdb_env_open(handle, path, UInt32(flags), 0o600)
    }

    /// Checks that what LMDB has opened are the files that were checked: it follows a link that has taken the place of
    /// one in between.
    static func checkFiles(_ handle: OpaquePointer, _ path: String, lock: FileID) throws {
        var descriptor: Int32 = -1
        var file = clmdb_file()
        try check(mdb_env_get_fd(handle, &descriptor))
        try check(clmdb_file_of(descriptor, &file))
        let lockPath = LockFile.path(of: path)
        try StoreFile.checkKind(path)
        try StoreFile.checkKind(lockPath)
        guard FileID(file) == FileID(at: path), lock == FileID(at: lockPath) else {
            throw DBClientError(
                .io,
                "The store's files were replaced while they were being opened.",
                hint: "Open the store again."
            )
        }
    }

    /// Returns the place of an environment's file, which is at its path.
    static func place(
        of handle: OpaquePointer,
        _ path: String,
        isShared: Bool
    ) throws -> StorePlace {
        var descriptor: Int32 = -1
        var file = clmdb_file()
        try check(mdb_env_get_fd(handle, &descriptor))
        try check(clmdb_file_of(descriptor, &file))
        return StorePlace(path, of: file, isShared: isShared)
    }

    /// Throws unless the store that is open was to be opened with a key.
    func checkKey(_ key: StoreKey?) throws {
        try key?.validate()
        if let sealed {
            return try sealed.checkKey(key) { body in
                let reader = try takeReader()
                defer { giveBack(reader) }
                return try body(reader.transaction)
            }
        }
        if key != nil {
            try Cipher.checkPresence()
            throw SealedStore.notEncrypted()
        }
    }

    /// Whether nothing was ever committed but what the store was made with.
    static func isNew(_ handle: OpaquePointer) throws -> Bool {
        var info = MDB_envinfo()
        try check(mdb_env_info(handle, &info))
        return info.me_last_txnid <= 1
    }

    /// Returns the lock that a writer takes; nil for a temporary store.
    static func processLock(
        _ handle: OpaquePointer,
        _ options: Options
    ) throws -> ProcessLock? {
        if options.isTemporary { return nil }
        var file: Int32 = -1
        try check(mdb_env_get_fd(handle, &file))
        return ProcessLock(file: file, timeout: options.busyTimeout)
    }

    /// Opens the tables that the store keeps for itself, making those that are missing.
    ///
    /// - Returns: The tables; nil where they cannot be made, as in a store of an earlier version on a disk
    ///   that is full.
    static func sharedTables(
        _ handle: OpaquePointer,
        _ lock: ProcessLock?,
        _ sealed: SealedStore?
    ) throws -> SharedTables? {
        let names = [Journal.tableName, WatcherTable.tableName]
        let tables: [MDB_dbi]
        do {
            tables = try openTables(names, handle, sealed, mayMake: false)
        } catch let error as DBClientError
            where error.engineCode == .number(Int(MDB_NOTFOUND))
        {
            try lock?.take()
            defer { lock?.release() }
            guard let made = try? openTables(names, handle, sealed, mayMake: true) else {
                return nil
            }
            tables = made
        } catch {
            return nil
        }
        return SharedTables(
            journal: Journal(table: tables[0]),
            watchers: WatcherTable(table: tables[1])
        )
    }

    /// Opens tables, which are made where they may be.
    static func openTables(
        _ names: [String],
        _ handle: OpaquePointer,
        _ sealed: SealedStore?,
        mayMake: Bool
    ) throws -> [MDB_dbi] {
        let transaction =
            try mayMake
            ? Transaction(writingTo: handle, sealed) : Transaction(reading: handle, sealed)
        let tables: [MDB_dbi]
        do {
            tables = try names.map {
                try transaction.openTable($0, UInt32(mayMake ? MDB_CREATE : 0))
            }
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
        return tables
    }
}
