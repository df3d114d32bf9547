public import DBClientCore
public import DBClientSQL

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

    /// Connects to a PostgreSQL database, blocking the calling thread.
    ///
    /// - Throws: What ``postgreSQL(_:configuration:)`` throws.
    public static func postgreSQLBlocking(
        _ connectionString: String,
        configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws -> SQLDBClient {
        let parameters = try ConnectionString.parameters(connectionString, configuration)
        let pool = ConnectionPool(parameters, configuration)
        try pool.warm()
        return SQLDBClient(PostgreSQLEngine(pool))
    }

    /// The connections to PostgreSQL; nil when the client's engine is another.
    public var postgreSQLPool: PostgreSQLPoolFigures? {
        (engine as? PostgreSQLEngine)?.pool.figures
    }

    /// Returns what became of the write whose commit was not answered.
    ///
    /// - Parameter error: The `.commitOutcomeUnknown` that the write threw.
    /// - Returns: The outcome; `.unknown` when the server does not know any more, or the error is
    ///   another.
    /// - Throws: What asking the server throws.
    public func commitOutcome(of error: DBClientError) async throws -> CommitOutcome {
        guard let commit = error.underlying as? UnansweredCommit,
            let number = commit.transaction.flatMap({ Int64(exactly: $0) })
        else { return .unknown }
        let rows = try await rows("SELECT pg_xact_status(\(number)::text::xid8) AS status")
        switch rows.first?["status", as: String.self] {
        case "committed": return .committed
        case "aborted": return .rolledBack
        case "in progress": return .inProgress
        default: return .unknown
        }
    }
}
