public import DBClientCore

/// How a SQLite store is opened.
public struct SQLiteConfiguration: Sendable {
    /// What an acknowledged commit survives: `synchronous` is FULL or NORMAL.
    public var durability: Durability
    /// How long a call waits for another process that holds the store before it throws `.busy`.
    public var busyTimeout: Duration
    /// How many connections read at the same time at most.
    public var maximumReaders: Int
    /// How many bytes of pages each connection keeps in memory at most; it takes them as it reads.
    public var cacheSize: Int
    /// Whether the foreign keys of the file's tables hold in the client's connections; by default they do.
    ///
    /// SQLite leaves that to each connection. A file that was always written with them off may break them
    /// already, or have keys that cannot hold; then every write to such a table fails, and this lets it be.
    public var obeysForeignKeys = true
    /// Whether triggers, views and indexes of the file may use virtual tables and functions that can have effects
    /// outside of the database.
    ///
    /// A table whose triggers keep a full-text index cannot be written to otherwise. It is not allowed by default
    /// because such a trigger in a file of an unknown origin runs with the rights of this process.
    public var trustsSchema: Bool
    /// Whether a file that another program made, and that is in another journal mode, is switched to write-ahead
    /// mode, in which it stays.
    ///
    /// Otherwise the file stays as it is, and reads and writes of this client take turns on one connection.
    public var entersWriteAheadMode: Bool
    /// How long a read keeps its snapshot at most; nil for as long as it likes.
    ///
    /// What is written while a snapshot is held stays in the write-ahead log, which grows. A read transaction that goes
    /// on for longer throws `.timeout` with a later statement, and held results let their snapshot go and read anew, as
    /// they do without a limit when the log has become large.
    public var maximumSnapshotAge: Duration?
    /// Called about once a second while a snapshot that is held for longer than ``snapshotWarningAge`` keeps a large
    /// write-ahead log from being emptied, on a thread of the client's.
    public var snapshotWarning: (@Sendable (SQLiteStatistics) -> Void)?
    /// How old a snapshot is when ``snapshotWarning`` is called.
    public var snapshotWarningAge: Duration = .seconds(10)
    /// When the file is checked as it is opened.
    public var verification = Verification.whenChanged
    /// From how many bytes on a commit tries to empty the write-ahead log.
    package var walLimit = 64 << 20

    /// Creates a configuration, by default durable, patient for five seconds, with 64 readers and 16 MB
    /// for each connection, for a file that is not trusted and stays in its journal mode.
    public init(
        durability: Durability = .full,
        busyTimeout: Duration = .seconds(5),
        maximumReaders: Int = 64,
        cacheSize: Int = 16_000_000,
        trustsSchema: Bool = false,
        entersWriteAheadMode: Bool = false
    ) {
        self.durability = durability
        self.busyTimeout = busyTimeout
        self.maximumReaders = maximumReaders
        self.cacheSize = cacheSize
        self.trustsSchema = trustsSchema
        self.entersWriteAheadMode = entersWriteAheadMode
    }
}
