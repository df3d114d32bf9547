import DBClientCore
public import DBClientSQL

/// The sizes of the files of a SQLite store, and the snapshots that keep its write-ahead log from being emptied.
public struct SQLiteStatistics: Sendable, Equatable {
    /// The size of the file, in bytes.
    public var fileSize: Int
    /// The size of the write-ahead log, in bytes; zero where there is none.
    public var logSize: Int
    /// How many snapshots this client reads.
    public var snapshotCount: Int
    /// How long the oldest of them has been held; nil when there is none.
    public var oldestSnapshotAge: Duration?
}

extension SQLDBClient {
    /// Returns the sizes of the files of a SQLite store, and the number and age of this client's snapshots.
    ///
    /// - Throws: `.unsupported` for a client of another database and for a store in memory.
    public func sqliteStatistics() throws -> SQLiteStatistics {
        guard let statistics = (engine as? SQLiteEngine)?.statistics else {
            throw DBClientError(.unsupported, "The client has no SQLite file.")
        }
        return statistics
    }
}

extension SQLiteStatistics {
    init(_ path: String, _ readers: SQLiteReaderPool?) {
        let use = readers?.use
        self.init(
            fileSize: SQLiteFile.size(path),
            logSize: SQLiteFile.size(path + "-wal"),
            snapshotCount: use?.count ?? 0,
            oldestSnapshotAge: use?.oldest
        )
    }
}
