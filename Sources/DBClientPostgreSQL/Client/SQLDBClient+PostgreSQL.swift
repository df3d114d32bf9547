public import DBClientCore
@_exported public import DBClientSQL

extension SQLDBClient {
    /// Connects to a PostgreSQL database.
    ///
    /// ```swift
    /// let client = try await SQLDBClient.postgreSQL("postgres://app@db1,db2/heroes")
    /// ```
    ///
    /// The string is one of libpq's, a URL or keywords with values, with everything that libpq has:
    /// several hosts, `target_session_attrs`, password files, services, certificates. To a host that
    /// is not this machine the connection is encrypted and the server's certificate checked against
    /// its name, unless `sslmode` in the string says otherwise.
    ///
    /// - Throws: `.invalidRequest` when the string is not understood, `.permission` when the login or
    ///   the server's certificate is refused, `.connectionLost` when no server can be reached.
    public static func postgreSQL(
        _ connectionString: String,
        configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) async throws -> SQLDBClient {
        let thread = ConnectionThread(named: "DBClientPostgreSQL")
        defer { thread.stop() }
        return try await withCheckedThrowingContinuation { continuation in
            thread.run {
                continuation.resume(
                    with: Swift.Result {
                        try postgreSQLBlocking(connectionString, configuration: configuration)
                    }
                )
            }
        }
    }

    /// Connects to a PostgreSQL database with a durability.
    ///
    /// - Throws: What ``postgreSQL(_:configuration:)`` throws.
    public static func postgreSQL(
        _ connectionString: String,
        durability: Durability
    ) async throws -> SQLDBClient {
        var configuration = PostgreSQLConfiguration()
        configuration.durability = durability
        return try await postgreSQL(connectionString, configuration: configuration)
    }

    /// Connects to a PostgreSQL database, blocking the calling thread.
    ///
    /// - Throws: What ``postgreSQL(_:configuration:)`` throws.
    public static func postgreSQLBlocking(
        _ connectionString: String,
        configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws -> SQLDBClient {
        try postgreSQLBlocking(
            ConnectionString.parameters(connectionString, configuration),
            configuration
        )
    }

    /// Connects with what a connection string says.
    static func postgreSQLBlocking(
        _ parameters: ConnectionParameters,
        _ configuration: PostgreSQLConfiguration
    ) throws -> SQLDBClient {
        let pool = ConnectionPool(parameters, configuration)
        try pool.warm()
        return SQLDBClient(try PostgreSQLEngine(pool))
    }

    /// The connections to PostgreSQL; nil when the client's engine is another.
    public var postgreSQLPool: PostgreSQLPoolFigures? {
        (engine as? PostgreSQLEngine)?.pool.figures
    }

    /// The connections to replicas; nil when the client's engine is another, or reads on the primary alone.
    public var postgreSQLReplicaPool: PostgreSQLPoolFigures? {
        (engine as? PostgreSQLEngine)?.replicas?.pool.figures
    }

    /// Returns what became of the write whose commit was not answered.
    ///
    /// - Parameter error: The `.commitOutcomeUnknown` that the write threw.
    /// - Returns: The outcome; `.unknown` when the server cannot tell, or the error is another.
    /// - Throws: What asking the server throws.
    public func commitOutcome(of error: DBClientError) async throws -> CommitOutcome {
        guard let commit = error.underlying as? UnansweredCommit,
            let number = commit.transaction, let engine = engine as? PostgreSQLEngine
        else { return .unknown }
        var status: String?
        var run: ServerRun?
        do {
            (status, run) = try await engine.runUnobserved(.read) { _, connection in
                try connection.outcome(of: number)
            }
        } catch let error as DBClientError where error.sqlState == "22023" {
            // The server does not count as far any more: it has lost the transaction.
            return .rolledBack
        } catch let error as DBClientError where error.isRefusal(of: .transactionNumbers) {
            return .unknown
        }
        let isSameRun = commit.run != nil && run == commit.run
        switch status {
        case "committed": return isSameRun ? .committed : .unknown
        case "aborted": return .rolledBack
        case "in progress": return isSameRun ? .inProgress : .unknown
        default: return .unknown
        }
    }
}

extension PostgreSQLConnection {
    /// Returns what the server says of a transaction, and its run; nothing where it follows another server,
    /// of which it may not have heard everything.
    fileprivate func outcome(of number: UInt64) throws -> (String?, ServerRun?) {
        var outcome: (String?, ServerRun?)
        var isFollowing = false
        let following = expression(.recoveryState, else: "false")
        try each("SELECT \(following)", []) { isFollowing = $0[0].integer != 0 }
        if isFollowing { return outcome }
        let query = "SELECT pg_xact_status($1::text::xid8), \(expression(.statisticsReset))"
        try each(query, [String(number)]) { row in
            outcome.0 = row[0].isNull ? nil : text(row[0])
            outcome.1 = row[1].isNull ? nil : ServerRun(beginning: row[1].integer)
        }
        return outcome
    }
}
