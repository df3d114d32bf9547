public import DBClientCore

/// How a PostgreSQL database is used, beside what the connection string says.
public struct PostgreSQLConfiguration: Sendable {
    /// The maximum number of connections of the pool.
    public var maximumConnections = 16
    /// How many connections are kept open while they are idle.
    public var minimumConnections = 1
    /// How long a call waits for a connection before it throws `.busy`.
    public var poolTimeout = Duration.seconds(10)
    /// How old a connection may become before it is replaced; an eighth of that is random, so that not all are
    /// replaced at once.
    public var maximumLifetime = Duration.seconds(3_600)
    /// How long a connection above the minimum stays open unused.
    public var idleTimeout = Duration.seconds(300)

    /// How long connecting to one host may take, in whole seconds of at least two.
    public var connectTimeout = Duration.seconds(5)
    /// How long a statement may take before the server ends it and the call throws `.timeout`; when
    /// the server does not answer either, the connection is closed a second later.
    public var statementTimeout = Duration.seconds(60)

    /// How long a migration waits at a time for the lock of a table that other sessions use.
    ///
    /// Sessions that queue behind it wait as well. So it lets them go first and tries again, for up to `retryTimeout`.
    /// `options=-c lock_timeout=…` in the connection string takes precedence.
    public var lockTimeout = Duration.seconds(2)

    /// How isolated a write transaction is.
    public var isolation = PostgreSQLIsolation.serializable
    /// How many times a unit of work is run at most when other transactions conflict with it.
    public var maximumAttempts = 100
    /// For how long a unit of work is retried at most.
    public var retryTimeout = Duration.seconds(30)

    /// Whether reads go to a replica, where the connection string names one and it has replayed what this process
    /// has written; the latest writes of other processes may be missing.
    public var readsFromReplica = false
    /// How long a read waits for a replica to replay this process's writes, before it goes to the primary.
    public var replicaTimeout = Duration.milliseconds(100)

    /// What an acknowledged commit survives.
    ///
    /// `.relaxed` turns `synchronous_commit` off, `.full` turns it on where the server, the database or the
    /// role has it off. `SQLDBClient.postgreSQLDurability` reports the resulting durability.
    public var durability = Durability.full
    /// The schema of the tables, of 1 to 63 bytes; nil for what the server's `search_path` says.
    public var schema: String?
    /// The tables that are spread over partitions on other servers, each with the columns of its key, which every
    /// partition keeps unique by an index of its own.
    ///
    /// ```swift
    /// configuration.shardedTables = ["Event": ["id"]]
    /// ```
    ///
    /// The server cannot have a unique index over foreign partitions, and does not see those of the other servers. A
    /// table that is named here is written to all the same, as long as the key contains the columns by which it is
    /// partitioned, and each partition on the server itself has such an index.
    public var shardedTables: [String: [String]] = [:]
    /// Whether statements are prepared under names and kept with their connection.
    ///
    /// A pooler in transaction mode is detected where it reports another number of the server's process than the
    /// server does; turn this off behind one that does not.
    public var keepsPreparedStatements = true
    /// Whether each write transaction asks for its number, by which the outcome of a commit can be found out
    /// when the server's answer was lost.
    public var tracksCommits = true

    /// Called when the server refuses a connection and the client goes on with fewer, on any thread; nil, the
    /// default, for nothing.
    ///
    /// For the pool, that is each time it shrinks; for observations, each time that they refetch because their
    /// connection is lost or refused.
    public var connectionWarning: (@Sendable (PostgreSQLConnectionWarning) -> Void)?

    /// How columns are declared that the library makes, as if another program had made them; nil for the library's own
    /// way.
    package var declaresColumns: (@Sendable (FieldType) -> String?)?
    /// The formats of those columns, where their types do not say it, so that tests run on tables as other programs fill
    /// them.
    package var formats: (@Sendable (FieldType) -> ColumnFormat?)?

    /// Creates a configuration with the default values.
    public init() {}
}

extension PostgreSQLConfiguration {
    /// Throws when a setting is one with which nothing would work.
    ///
    /// - Throws: `.invalidRequest`, with the setting's name as the field.
    func validate() throws {
        func require(_ isValid: Bool, _ setting: String, _ rule: String) throws {
            if isValid { return }
            throw DBClientError(.invalidRequest, "\(setting) must be \(rule).", field: setting)
        }
        try require(maximumConnections >= 1, "maximumConnections", "at least 1")
        try require(
            (0...maximumConnections).contains(minimumConnections),
            "minimumConnections",
            "between 0 and maximumConnections"
        )
        // What the server counts in milliseconds, in an integer of 32 bits.
        try require(
            (.milliseconds(1)...(.milliseconds(Int32.max))).contains(statementTimeout),
            "statementTimeout",
            "between a millisecond and 24.8 days"
        )
        try require(
            (.milliseconds(1)...(.milliseconds(Int32.max))).contains(lockTimeout),
            "lockTimeout",
            "between a millisecond and 24.8 days"
        )
        if let schema {
            do {
                try PostgreSQLDialect().check(name: schema, as: "The name of the schema")
            } catch var error as DBClientError {
                error.field = "schema"
                throw error
            }
        }
    }
}
