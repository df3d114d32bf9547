import CLibPQ
import DBClientCore
import DBClientSQL

extension PostgreSQLConnection {
    /// What each session is set to, beside what the connection string says.
    var sessionSettings: [String] {
        let milliseconds = configuration.statementTimeout.nanoseconds / 1_000_000
        var settings = ["statement_timeout = \(max(milliseconds, 1))"]
        if let searchPath { settings.append(searchPath) }
        if !configuration.keepsPreparedStatements {
            settings.append("synchronous_commit = \(commitLevel)")
            settings.append("\(Journal.writerSetting) = \(writer.sqlLiteral)")
        }
        return settings
    }

    /// Where tables are looked for, when it is not left to the server.
    private var searchPath: String? {
        configuration.schema.map { schema in
            var text = SQLText(dialect)
            text.append(identifier: schema)
            return "search_path = \(text.sql)"
        }
    }

    /// Sets the session up, learns where it is, and refuses a server whose text is not UTF-8.
    func beginSession(of process: String, beganOnStandby: Bool?) throws {
        if configuration.keepsPreparedStatements {
            pending = sessionSettings.map { "SET \($0)" }
        } else {
            pending = ["BEGIN READ ONLY"]
            if let searchPath { pending.append("SET LOCAL \(searchPath)") }
        }
        // Behind a pooler the session is everybody's, and each transaction sets this itself.
        let isLocal = !configuration.keepsPreparedStatements
        var encoding = ""
        try each(
            """
            SELECT pg_catalog.current_setting('server_encoding'), \(ServerRun.expression),
                (SELECT system_identifier FROM pg_catalog.pg_control_system()),
                pg_catalog.pg_is_in_recovery(), pg_catalog.current_database()::text,
                coalesce(pg_catalog.current_schema(), '')::text,
                pg_catalog.set_config(
                    '\(Journal.writerSetting)',
                    $1::text || CASE
                        WHEN coalesce(nullif($2::text, '')::bool, pg_catalog.pg_is_in_recovery())
                        THEN '/standby' ELSE '' END
                        || '/' || coalesce(pg_catalog.current_schema(), ''), \(isLocal)),
                \(settingCommitLevel), pg_catalog.current_setting('fsync'),
                pg_catalog.current_setting('synchronous_standby_names'),
                pg_catalog.current_setting('default_transaction_read_only')
            """,
            [process, beganOnStandby.map { "\($0)" } ?? ""]
        ) { row in
            encoding = text(row[0])
            serverRun = row[1].isNull ? nil : ServerRun(beginning: row[1].integer)
            store = StoreIdentity(
                cluster: row[2].integer,
                isStandby: row[3].integer != 0,
                database: text(row[4]),
                schema: text(row[5]),
                process: process
            )
            writer = text(row[6])
            beganWritable = !store.isStandby && text(row[10]) == "off"
            commitLevel = text(row[7])
            durability = PostgreSQLDurability(
                commitLevel: commitLevel,
                isSynchronizing: text(row[8]) != "off",
                hasSynchronousStandbys: row[9].length > 0
            )
        }
        if isLocal { _ = try collect { PQsendQueryParams($0, "COMMIT", 0, nil, nil, nil, nil, 1) } }
        state = TransactionState()
        guard encoding == "UTF8" else {
            throw DBClientError(
                .unsupported,
                "The database keeps text in another encoding than UTF-8.",
                hint: "Create the database with ENCODING 'UTF8'."
            )
        }
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
        let isLocal = !configuration.keepsPreparedStatements
        return "pg_catalog.set_config('synchronous_commit', \(level), \(isLocal))"
    }

    /// Adds to an error what it is about.
    func explained(
        _ error: DBClientError,
        _ entity: EntitySchema?,
        _ sql: String
    ) -> DBClientError {
        var error = error
        guard let server = error.underlying as? PostgreSQLServerError else { return error }
        guard let entity else { return error }
        if sql.hasPrefix("CREATE "), error.isRaceOfDefinitions { state.noteRace() }
        if error.sqlState == "54000" {
            state.noteLongValue(index: server.constraint, of: entity)
        }
        if error.entity == nil { error.entity = entity.name }
        if let column = server.column, error.field == nil {
            error.field = entity.fields.first { dialect.columnName(of: $0.name) == column }?.name
        }
        guard error.code == .uniqueViolation, let name = server.constraint,
            let constraint = constraints[name]
        else { return error }
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

extension DBClientError {
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
