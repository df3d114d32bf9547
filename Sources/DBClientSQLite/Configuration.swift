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
    /// From how many bytes on a commit tries to empty the write-ahead log.
    package var walLimit = 64 << 20

    /// Creates a configuration, by default durable, patient for five seconds, with 64 readers and 16 MB
    /// for each connection.
    public init(
        durability: Durability = .full,
        busyTimeout: Duration = .seconds(5),
        maximumReaders: Int = 64,
        cacheSize: Int = 16_000_000
    ) {
        self.durability = durability
        self.busyTimeout = busyTimeout
        self.maximumReaders = maximumReaders
        self.cacheSize = cacheSize
    }
}
