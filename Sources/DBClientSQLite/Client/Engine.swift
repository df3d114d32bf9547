import CSQLiteFiles
import DBClientCore
import DBClientSQL
import Foundation
import GRDB

/// A SQLite store: one writer whose commits are shared, and readers that run on their callers'
/// threads beside it.
///
/// GRDB opens and sets up each connection that reads or writes rows; from then on its handle is used directly, because
/// a trip through GRDB's pool costs ten times a read by key. Each is a `DatabaseQueue`: a `DatabasePool` lowers
/// `synchronous` and commits twice while it opens, for readers of its own that are not used. The writer's connection is
/// used by the write queue alone, which runs one unit at a time.
///
/// A store in memory has one connection, on which readers and writer take turns. So has a file in another journal
/// mode than write-ahead, where a reader and the writer would wait for each other, and a transaction for itself.
final class SQLiteEngine: Engine {
    let writer: SQLiteWriter
    let writes: WriteQueue
    let readers: SQLiteReaderPool?
    private let changes: ChangeHub
    /// None for a store in memory.
    private let watch: SQLiteCommitWatch?
    /// None for a store in memory.
    let path: String?
    /// None for a store that is not encrypted.
    let cipher: SQLiteCipher?
    let configuration: SQLiteConfiguration
    private let maximumSnapshotAge: Duration?

    let systemName = "sqlite"
    /// Nil in a forked child, whose observers would never be notified.
    var hub: ChangeHub? { Fork.isChild ? nil : changes }

    /// Opens the database file at a path, which is created when it does not exist.
    init(path: String, _ configuration: SQLiteConfiguration, key: StoreKey? = nil) throws {
        Fork.watch()
        try Self.checkProcess()
        csqlite_allocate_what_is_mapped()
        // Before there is a file.
        try key?.validate()
        if key != nil { try SQLiteHandle.checkCipher() }
        let isNew = try SQLiteFile.prepare(path)
        // Before SQLite may write to it.
        let isUnchanged = isNew || SQLiteFileNote(path)?.isKept(at: path) == true
        try SQLiteStoreFiles.checkCompanions(path)
        let cipher = try key.map { try SQLiteCipher($0, for: path) }
        let version = SQLSchemaVersion()
        let path = path
        let files: SQLiteStoreFiles
        let open: @Sendable () throws -> SQLiteConnection
        do {
            let connection = try Self.connection(path, configuration, cipher)
            let hasLog = try connection.prepareJournal(
                configuration.durability,
                entersWriteAheadMode: isNew || configuration.entersWriteAheadMode
            )
            let isSound = try connection.verify(
                path,
                hasLog: hasLog,
                isUnchanged: isUnchanged || SQLiteStoreFiles.isOpen(path),
                configuration.verification
            )
            files = try SQLiteStoreFiles(path, connection, hasLog: hasLog, isSound: isSound)
            open = Self.readers(of: path, files, configuration, cipher)
            readers = hasLog ? Self.pool(configuration, version, cipher, open) : nil
            let log = readers.map { readers in
                Self.log(of: path, connection, files, readers, configuration, cipher)
            }
            writer = SQLiteWriter(
                connection,
                version,
                files: files,
                log: log,
                turn: hasLog ? nil : NSLock()
            )
        } catch {
            throw SQLiteFile.explained(error, path, cipher)
        }
        self.path = path
        self.cipher = cipher
        self.configuration = configuration
        maximumSnapshotAge = configuration.maximumSnapshotAge
        changes = SQLiteHubs.hub(of: files.id)
        writes = WriteQueue(writer, label: "DBClientSQLite.writer", hub: changes)
        watch = SQLiteCommitWatch(
            changes,
            files,
            cipher,
            probe: { [weak writes] in writes?.runEmpty() },
            write: { [weak writes] in try await writes?.run { _ in } },
            open: open
        )
        writer.watch = watch
        if let watch { changes.add(watch) }
    }

    /// Makes an empty store in memory, which is gone when the client is closed.
    init(inMemory configuration: SQLiteConfiguration) throws {
        do {
            let queue = try DatabaseQueue(configuration: Self.settings(configuration))
            writer = SQLiteWriter(
                try SQLiteConnection(queue, SQLiteDialect(formats: configuration.formats)),
                SQLSchemaVersion(),
                files: nil,
                log: nil,
                turn: NSLock()
            )
        } catch {
            throw SQLiteError.wrapping(error)
        }
        changes = ChangeHub()
        writes = WriteQueue(writer, label: "DBClientSQLite.writer", hub: changes)
        readers = nil
        watch = nil
        path = nil
        cipher = nil
        self.configuration = configuration
        maximumSnapshotAge = nil
    }

    /// Returns how connections for reading are opened.
    private static func readers(
        of path: String,
        _ files: SQLiteStoreFiles,
        _ configuration: SQLiteConfiguration,
        _ cipher: SQLiteCipher?
    ) -> @Sendable () throws -> SQLiteConnection {
        {
            do {
                try files.checkBeforeOpening()
                let connection = try Self.connection(
                    path,
                    configuration,
                    cipher,
                    isReadOnly: true
                )
                try files.checkNames()
                return connection
            } catch {
                let error = SQLiteError.wrapping(error, path)
                throw cipher.map { SQLiteFile.explained(error, path, $0) } ?? error
            }
        }
    }

    private static func pool(
        _ configuration: SQLiteConfiguration,
        _ version: SQLSchemaVersion,
        _ cipher: SQLiteCipher?,
        _ open: @escaping @Sendable () throws -> SQLiteConnection
    ) -> SQLiteReaderPool {
        SQLiteReaderPool(
            maximumCount: configuration.maximumReaders,
            keptCount: min(ProcessInfo.processInfo.activeProcessorCount, 8),
            timeout: configuration.busyTimeout,
            isCurrent: cipher.map { $0.readerCheck }
        ) {
            let connection = try open()
            if let age = configuration.maximumSnapshotAge { connection.limitReads(to: age) }
            return SQLTransaction(connection, version)
        }
    }

    private static func log(
        of path: String,
        _ connection: SQLiteConnection,
        _ files: SQLiteStoreFiles,
        _ readers: SQLiteReaderPool,
        _ configuration: SQLiteConfiguration,
        _ cipher: SQLiteCipher?
    ) -> SQLiteWriteAheadLog {
        let checkpointer = SQLiteCheckpointer(
            path,
            cipher,
            files,
            readers,
            sizeLimit: configuration.walLimit
        ) { connection in
            guard let warn = configuration.snapshotWarning else { return }
            let statistics = SQLiteStatistics(path, readers, connection)
            guard let age = statistics.oldestSnapshotAge, age >= configuration.snapshotWarningAge
            else { return }
            warn(statistics)
        }
        return SQLiteWriteAheadLog(
            connection,
            at: path + "-wal",
            sizeLimit: configuration.walLimit,
            busyTimeout: configuration.busyTimeout,
            checkpointer: checkpointer,
            readers: readers
        )
    }

    /// The sizes of the files and the open readers; nil for a store in memory.
    func statistics() throws -> SQLiteStatistics? {
        guard let path else { return nil }
        // Before the one that looks is among them.
        var statistics = SQLiteStatistics(path, readers, nil)
        guard let readers, let reader = try readers.takeIfFree() else { return statistics }
        defer { readers.give(reader) }
        if let connection = reader.connection as? SQLiteConnection {
            // A connection has its log open once it has read.
            try connection.versionStatement().values(on: nil) { _ in false }
            statistics.pendingLogSize = SQLiteLogMarks.pendingSize(connection.handle)
        }
        return statistics
    }

    static func connection(
        _ path: String,
        _ configuration: SQLiteConfiguration,
        _ cipher: SQLiteCipher? = nil,
        isReadOnly: Bool = false
    ) throws -> SQLiteConnection {
        // What the connection is told of; a change that comes before its first read makes that fail.
        let generation = cipher?.generation
        var settings = settings(configuration, cipher)
        settings.readonly = isReadOnly
        return try SQLiteConnection(
            try DatabaseQueue(path: path, configuration: settings),
            SQLiteDialect(formats: configuration.formats, isEncrypted: cipher != nil),
            generation: generation
        )
    }

    private static func settings(
        _ configuration: SQLiteConfiguration,
        _ cipher: SQLiteCipher? = nil
    ) -> Configuration {
        var settings = Configuration()
        // SQLite counts milliseconds in 32 bits.
        let seconds = Double(configuration.busyTimeout.nanoseconds) / 1e9
        settings.busyMode = .timeout(min(max(seconds, 0), 2_147_483))
        #if os(iOS)
        // GRDB would free the memory of a connection that it does not know to be in use.
        settings.automaticMemoryManagement = false
        #endif
        settings.foreignKeysEnabled = configuration.obeysForeignKeys
        // In kilobytes, which SQLite distinguishes from pages by the sign.
        let cacheSize = "PRAGMA cache_size = -\(max(configuration.cacheSize, 0) / 1_024);"
        let pragmas =
            SQLiteDefense.pragmas(trustsSchema: configuration.trustsSchema) + cacheSize
        settings.prepareDatabase { database in
            if let cipher, let pointer = database.sqliteConnection {
                _ = try SQLiteHandle(pointer).unlock(cipher)
            }
            try database.execute(sql: pragmas)
        }
        return settings
    }

    /// Throws in a process that was forked after a store was opened.
    @inline(__always)
    static func checkProcess() throws { try Fork.check("A SQLite store") }

    func readBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try Self.checkProcess()
        guard let readers else { return try writer.read(body) }
        guard let cipher else { return try read(by: readers, body) }
        return try cipher.repeating { try read(by: readers, body) }
    }

    private func read<Value>(
        by readers: SQLiteReaderPool,
        _ body: (any EngineReader) throws -> Value
    ) throws -> Value {
        let reader = try readers.take()
        defer { readers.give(reader) }
        return try reader.repeatingOnce {
            try reader.begin(.read)
            // There is nothing to commit: either way the snapshot is released.
            defer { reader.rollback() }
            return try body(reader)
        }
    }

    func readOnceBlocking<Value>(_ body: (any EngineReader) throws -> Value) throws -> Value {
        try Self.checkProcess()
        guard let readers else { return try writer.read(body) }
        if cipher != nil { return try readBlocking(body) }
        let reader = try readers.take()
        defer { readers.give(reader) }
        return try reader.repeatingOnce {
            do {
                try reader.begin(.call)
                defer { reader.rollback() }
                let value = try body(reader)
                if !reader.callTakesStatements { return value }
            } catch {
                guard reader.callTakesStatements else { throw error }
            }
            try reader.begin(.read)
            defer { reader.rollback() }
            return try body(reader)
        }
    }

    func readOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineReader) throws -> Value
    ) async throws -> Value {
        try readOnceBlocking(body)
    }

    func writeBlocking<Value>(_ body: (any EngineWriter) throws -> Value) throws -> Value {
        try Self.checkProcess()
        return try writes.runBlocking(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any EngineWriter) throws -> Value
    ) async throws -> Value {
        try Self.checkProcess()
        return try await writes.run(body)
    }

    /// Keeps a reader's transaction open; where one connection does everything there is no reader to spare.
    func openSnapshot() throws -> (any EngineSnapshot)? {
        try Self.checkProcess()
        guard let readers else { return nil }
        let reader =
            try cipher.map { try $0.repeating { try beginSnapshot(readers) } }
            ?? beginSnapshot(readers)
        let held = HeldSnapshot(reader) {
            try readers.checkOpen()
        } giveBack: { reader in
            reader.rollback()
            readers.give(reader)
        }
        readers.lentSnapshots.add(held)
        if let maximumSnapshotAge {
            let end = DispatchTime.now() + .nanoseconds(maximumSnapshotAge.nanoseconds)
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak held] in
                held?.release()
            }
        }
        return held
    }

    private func beginSnapshot(_ readers: SQLiteReaderPool) throws -> SQLTransaction {
        let reader = try readers.take()
        do {
            try reader.begin(.read)
            // The snapshot is that of the first read, which the key of a file may have changed before.
            try (reader.connection as? SQLiteConnection)?.effects.proof?.check()
        } catch {
            reader.rollback()
            readers.give(reader)
            throw error
        }
        _ = reader.forgetStaleSchema()
        return reader
    }

    func close() throws {
        // What a child has is its parent's.
        if Fork.isChild { return }
        if let watch { changes.remove(watch) }
        watch?.close()
        readers?.close()
        var result = Result<Void, any Error>.success(())
        writes.close { result = Result { try writer.close() } }
        cipher?.forget()
        try result.get()
    }
}

extension SQLTransaction {
    /// Runs a body that reads, again if it failed and another program had changed the tables.
    func repeatingOnce<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            guard forgetStaleSchema() else { throw error }
            return try body()
        }
    }
}
