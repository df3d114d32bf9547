import DBClientCore
public import DBClientSQL

/// The sizes of the files of a SQLite store, and the snapshots that keep its write-ahead log from being emptied.
public struct SQLiteStatistics: Sendable, Equatable {
    /// The size of the file, in bytes.
    public var fileSize: Int
    /// The size of the write-ahead log, in bytes; zero where there is none.
    public var logSize: Int
    /// How many bytes of pages in the log were not copied into the file yet, by whatever process; nil where there is no
    /// log, and where it cannot be told because every reader of the client is in use.
    ///
    /// A snapshot of any process keeps the pages that were written after it from being copied.
    public var pendingLogSize: Int?
    /// How many snapshots this client reads.
    public var snapshotCount: Int
    /// How long the oldest of them has been held; nil when there is none.
    public var oldestSnapshotAge: Duration?
}

extension SQLDBClient {
    /// Returns the sizes of the files of a SQLite store, and the number and age of this client's snapshots.
    ///
    /// - Throws: `.unsupported` for a client of another database and for a store in memory; `.closed`.
    public func sqliteStatistics() throws -> SQLiteStatistics {
        guard let statistics = try (engine as? SQLiteEngine)?.statistics() else {
            throw DBClientError(.unsupported, "The client has no SQLite file.")
        }
        return statistics
    }
}

extension SQLiteStatistics {
    /// - Parameters:
    ///   - path: The store's file.
    ///   - readers: The client's readers.
    ///   - connection: A connection that has the log open; nil where none has.
    init(_ path: String, _ readers: SQLiteReaderPool?, _ connection: SQLiteHandle?) {
        let use = readers?.use
        self.init(
            fileSize: SQLiteFile.size(path),
            logSize: SQLiteFile.size(path + "-wal"),
            pendingLogSize: connection.flatMap { SQLiteLogMarks.pendingSize($0) },
            snapshotCount: use?.count ?? 0,
            oldestSnapshotAge: use?.oldest
        )
    }
}
