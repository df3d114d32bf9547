public import DBClientCore

/// How a SQLite store is opened.
public struct SQLiteConfiguration: Sendable {
    /// What an acknowledged commit survives: `synchronous` is FULL or NORMAL.
    public var durability: Durability
    /// How long a call waits for another process that holds the store before it throws `.busy`.
    public var busyTimeout: Duration
    /// The maximum number of connections that read at the same time.
    public var maximumReaders: Int
    /// The maximum size of each connection's page cache, in bytes, which fills as it reads.
    public var cacheSize: Int
    /// Whether the client's connections enforce the foreign keys of the file's tables; true by default.
    ///
    /// SQLite leaves that to each connection. A file that was always written without enforcement may already violate
    /// its keys, or have keys that cannot be enforced. Every write to such a table fails, unless this is false.
    public var obeysForeignKeys = true
    /// Whether triggers, views and indexes of the file may use virtual tables and functions that can have effects
    /// outside of the database.
    ///
    /// Otherwise a table whose triggers keep a full-text index cannot be written to. False by default, since such a
    /// trigger in a file of unknown origin runs with the rights of this process.
    public var trustsSchema: Bool
    /// Whether a file that another program made, and that is in another journal mode, is switched to write-ahead
    /// mode, in which it stays.
    ///
    /// Otherwise the file stays as it is, and reads and writes of this client take turns on one connection.
    public var entersWriteAheadMode: Bool
    /// How long a read may keep its snapshot; nil for no limit.
    ///
    /// Everything that is written while a snapshot is held stays in the write-ahead log, which grows. A read
    /// transaction that takes longer throws `.timeout` at its next statement, and held results release their snapshot
    /// and refetch, as they do without a limit when the log has become large.
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
    /// The formats of columns whose fields say none, so that tests run on tables as other programs fill them.
    package var formats: (@Sendable (FieldType) -> ColumnFormat?)?

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
