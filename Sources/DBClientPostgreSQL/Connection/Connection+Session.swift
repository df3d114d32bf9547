import CLibPQ
import DBClientCore
import DBClientSQL

extension PostgreSQLConnection {
    /// What each transaction sets where it shares its session, beside what the connection string says.
    var sessionSettings: [String] {
        var settings = [statementLimit]
        if let searchPath { settings.append("search_path = \(searchPath)") }
        settings.append("synchronous_commit = \(commitLevel)")
        settings.append("\(Journal.writerSetting) = \(writer.sqlLiteral)")
        return settings
    }

    /// The setting of how long the server goes on with a statement.
    var statementLimit: String {
        let milliseconds = configuration.statementTimeout.nanoseconds / 1_000_000
        return "statement_timeout = \(max(milliseconds, 1))"
    }

    /// Where tables are looked for, when it is not left to the server.
    private var searchPath: String? {
        configuration.schema.map { schema in
            var text = SQLText(dialect)
            text.append(identifier: schema)
            return text.sql
        }
    }

    /// Sets the session up, learns where it is, and refuses a server whose text is not UTF-8.
    ///
    /// A pooler gives the client a number of its own for the session's process. Where that is not the server's,
    /// what would be set for the session is set for the one statement, and nothing is kept on it.
    func beginSession(of process: String, beganOnStandby: Bool?) throws {
        let encoding: String
        do {
            encoding = try beginSession(of: process, beganOnStandby)
        } catch let error as DBClientError where error.isAboutMissingFeature {
            try probe(Self.featuresOfSessions)
            encoding = try beginSession(of: process, beganOnStandby)
        }
        state = TransactionState()
        guard encoding == "UTF8" else {
            throw DBClientError(
                .unsupported,
                "The database keeps text in another encoding than UTF-8.",
                hint: "Create the database with ENCODING 'UTF8'."
            )
        }
    }

    /// What a session asks for when it begins.
    private static let featuresOfSessions: [PostgreSQLFeature] = [
        .statisticsReset, .clusterIdentifier, .recoveryState,
    ]

    /// Sets the session up and returns the encoding of the server's text.
    private func beginSession(of process: String, _ beganOnStandby: Bool?) throws -> String {
        var encoding = ""
        let isFollowing = expression(.recoveryState, else: "false")
        let milliseconds = max(configuration.statementTimeout.nanoseconds / 1_000_000, 1)
        try each(
            """
            SELECT s.is_shared, pg_catalog.set_config('statement_timeout', $4::text, s.is_shared),
                pg_catalog.set_config('search_path',
                    coalesce(nullif($5::text, ''), pg_catalog.current_setting('search_path')),
                    s.is_shared),
                pg_catalog.current_setting('server_encoding'),
                \(expression(.statisticsReset)), \(expression(.clusterIdentifier)),
                \(isFollowing), pg_catalog.current_database()::text,
                coalesce(pg_catalog.current_schema(), '')::text,
                pg_catalog.set_config(
                    '\(Journal.writerSetting)',
                    $1::text || CASE
                        WHEN coalesce(nullif($2::text, '')::bool, \(isFollowing))
                        THEN '/standby' ELSE '' END
                        || '/' || coalesce(pg_catalog.current_schema(), ''), s.is_shared),
                \(settingCommitLevel), pg_catalog.current_setting('fsync', true),
                pg_catalog.current_setting('synchronous_standby_names', true),
                pg_catalog.current_setting('default_transaction_read_only')
            FROM (SELECT pg_catalog.pg_backend_pid()::text <> $3::text AS is_shared OFFSET 0) s
            """,
            [
                process, beganOnStandby.map { "\($0)" } ?? "",
                keepsStatements ? String(PQbackendPID(link.handle)) : "", String(milliseconds),
                searchPath ?? "",
            ]
        ) { row in
            keepsStatements = row[0].integer == 0
            encoding = text(row[3])
            serverRun = row[4].isNull ? nil : ServerRun(beginning: row[4].integer)
            store = StoreIdentity(
                cluster: row[5].isNull ? link.addressHash : row[5].integer,
                isStandby: row[6].integer != 0,
                database: text(row[7]),
                schema: text(row[8]),
                process: process
            )
            writer = text(row[9])
            beganWritable = !store.isStandby && text(row[13]) == "off"
            commitLevel = text(row[10])
            durability = PostgreSQLDurability(
                commitLevel: commitLevel,
                isSynchronizing: row[11].isNull || text(row[11]) != "off",
                hasSynchronousStandbys: !row[12].isNull && row[12].length > 0
            )
        }
        return encoding
    }

    /// An expression that has the session's commits wait for as much as the configuration asks for, and
    /// tells for what.
    ///
    /// A server, database or role may have commits acknowledged before the disk has them. What is set
    /// for the session stays when those settings change. Behind a pooler each transaction sets it itself.
    private var settingCommitLevel: String {
        let current = "pg_catalog.current_setting('synchronous_commit')"
        let level =
            configuration.durability == .relaxed
            ? "'off'" : "CASE \(current) WHEN 'off' THEN 'on' ELSE \(current) END"
        return "pg_catalog.set_config('synchronous_commit', \(level), s.is_shared)"
    }

    /// Adds to an error what it is about.
    func explained(
        _ error: DBClientError,
        _ entity: EntitySchema?,
        _ sql: String
    ) -> DBClientError {
        var error = error
        guard let server = error.underlying as? PostgreSQLServerError else { return error }
        guard let entity else { return explainedOwn(error, server) }
        if sql.hasPrefix("CREATE "), error.isRaceOfDefinitions { state.noteRace() }
        if error.sqlState == "54000" {
            state.noteLongValue(index: server.constraint, of: entity)
        }
        noteDenial(error, of: sql, on: entity)
        if error.entity == nil { error.entity = entity.name }
        if let column = server.column, error.field == nil {
            error.field = entity.fields.first { dialect.columnName(of: $0.name) == column }?.name
        }
        guard error.code == .uniqueViolation else { return error }
        if server.constraint == nil, isOfShardKey(server, entity) {
            var error = error.asDuplicateKey
            error.entity = entity.name
            error.field = entity.primaryKey.map { entity.fields[$0].name }.joined(separator: ", ")
            return error
        }
        guard let name = server.constraint, let constraint = constraints[name] else { return error }
        let names = constraint.columns.map { column in
            entity.fields.first { dialect.columnName(of: $0.name) == column }?.name ?? column
        }
        if constraint.isPrimaryKey {
            error = DBClientError(
                .duplicateKey,
                "The primary key exists already.",
                entity: entity.name,
                engineCode: error.engineCode,
                engineMessage: error.engineMessage,
                underlying: error.underlying
            )
        }
        error.field = names.joined(separator: ", ")
        return error
    }
}

extension PostgreSQLConnection {
    /// Adds to the error of a raw SQL statement that it was refused for a primary key, as far as that is known
    /// without asking.
    private func explainedOwn(
        _ error: DBClientError,
        _ server: PostgreSQLServerError
    ) -> DBClientError {
        guard error.code == .uniqueViolation, let name = server.constraint else { return error }
        // What the server calls the constraint of `PRIMARY KEY` when it is left to it.
        let isKey = constraints[name]?.isPrimaryKey ?? (name == "\(server.table ?? "")_pkey")
        return isKey ? error.asDuplicateKey : error
    }

    /// Adds that to an error that has ended its transaction, by asking the server.
    func explainedAfterwards(_ error: any Error) -> any Error {
        guard let error = error as? DBClientError, error.code == .uniqueViolation,
            error.entity == nil,
            let server = error.underlying as? PostgreSQLServerError, let name = server.constraint,
            constraints[name] == nil, isIdle
        else { return error }
        var isKey = false
        do {
            try begin(.read)
            defer { rollback() }
            var quoted = SQLText(dialect)
            quoted.append(identifier: name)
            try each(
                """
                SELECT indisprimary FROM pg_catalog.pg_index
                WHERE indexrelid = pg_catalog.to_regclass($1::text)
                """,
                [quoted.sql]
            ) { isKey = $0[0].integer != 0 }
        } catch {
            return error
        }
        return isKey ? error.asDuplicateKey : error
    }
}

extension DBClientError {
    /// Whether a statement needs a function, a view or a setting that the server lacks, or keeps from the role.
    fileprivate var isAboutMissingFeature: Bool {
        ["42883", "42P01", "42703", "42704", "42501", "0A000"].contains(sqlState)
    }

    /// The same of a primary key.
    fileprivate var asDuplicateKey: DBClientError {
        DBClientError(
            .duplicateKey,
            "The primary key exists already.",
            engineCode: engineCode,
            engineMessage: engineMessage,
            underlying: underlying
        )
    }

    /// Whether two sessions defined the same thing at the same time.
    fileprivate var isRaceOfDefinitions: Bool {
        if sqlState == "23505" {
            // What is there twice may be rows under a new index, too.
            let server = underlying as? PostgreSQLServerError
            return server?.table?.hasPrefix("pg_") ?? false
        }
        return ["42P07", "42710", "XX000", "40P01"].contains(sqlState)
    }
}
