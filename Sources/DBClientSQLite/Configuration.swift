/// How a SQLite store is opened.
public struct SQLiteConfiguration: Sendable {
    /// When a commit counts as done.
    public enum Durability: Hashable, Sendable {
        /// When it survives a power cut: `synchronous = FULL`.
        case full
        /// When it survives the end of the process; a power cut may take the last commits back, and
        /// never leaves the store torn: `synchronous = NORMAL`.
        case relaxed
    }

    /// When a commit counts as done.
    public var durability: Durability
    /// How long a call waits for another process that holds the store before it throws `.busy`.
    public var busyTimeout: Duration
    /// How many connections read at the same time at most.
    public var maximumReaders: Int

    /// Creates a configuration, by default durable, patient for five seconds, with 64 readers.
    public init(
        durability: Durability = .full, busyTimeout: Duration = .seconds(5),
        maximumReaders: Int = 64
    ) {
        self.durability = durability
        self.busyTimeout = busyTimeout
        self.maximumReaders = maximumReaders
    }
}
