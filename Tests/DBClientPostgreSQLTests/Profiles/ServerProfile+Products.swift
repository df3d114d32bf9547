extension ServerProfile {
    /// Every profile.
    static let all = [bare, cockroachDB, yugabyteDB, citus]

    /// A server that refuses whatever the client can do without, as no product does.
    static let bare = ServerProfile(
        name: "bare",
        refusals: [
            Refusal("pg_control_system", .undefinedFunction("pg_control_system")),
            Refusal("pg_stat_bgwriter", .undefinedTable("pg_stat_bgwriter")),
            Refusal("pg_is_in_recovery", .undefinedFunction("pg_is_in_recovery")),
            Refusal("pg_current_xact_id", .undefinedFunction("pg_current_xact_id")),
            Refusal("pg_xact_status", .undefinedFunction("pg_xact_status")),
            Refusal("pg_current_snapshot", .undefinedFunction("pg_current_snapshot")),
            Refusal("ISOLATION LEVEL RE", .notSupported),
            Refusal("LISTEN dbclient", .syntaxError),
            Refusal("NOTIFY dbclient", .syntaxError),
            Refusal("CREATE TEMPORARY TABLE", .notSupported),
            Refusal("FROM STDIN (FORMAT binary)", .notSupported),
            Refusal(".xmax = 0", .undefinedColumn("xmax")),
            Refusal(" ON CONFLICT (", .syntaxError),
            Refusal("pg_try_advisory", .undefinedFunction("pg_try_advisory_lock")),
            Refusal("pg_advisory", .undefinedFunction("pg_advisory_xact_lock")),
            Refusal("LOCK TABLE", .syntaxError),
            Refusal("RESTART WITH", .notSupported),
            Refusal("LANGUAGE plpgsql", .undefinedObject("plpgsql")),
            Refusal("FOR EACH STATEMENT", .notSupported),
            Refusal("INDEX CONCURRENTLY", .syntaxError),
            Refusal("pg_stat_get_xact", .undefinedFunction("pg_stat_get_xact_tuples_inserted")),
            Refusal("pg_partition_tree", .undefinedFunction("pg_partition_tree")),
            Refusal("pg_relation_size", .undefinedFunction("pg_relation_size")),
        ]
    )

    static let cockroachDB = ServerProfile(
        name: "CockroachDB",
        reports: [
            "server_version": "13.0.0",
            "crdb_version": "CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu)",
        ],
        refusals: [
            Refusal(
                "pg_control_system",
                .undefinedFunction("pg_control_system"),
                cockroachFunctions
            ),
            Refusal(
                "pg_current_xact_id",
                .undefinedFunction("pg_current_xact_id"),
                cockroachFunctions
            ),
            Refusal("pg_xact_status", .undefinedFunction("pg_xact_status"), cockroachFunctions),
            Refusal(
                "pg_current_snapshot",
                .undefinedFunction("pg_current_snapshot"),
                cockroachFunctions
            ),
            Refusal("xid8", .undefinedObject("xid8"), cockroachFunctions),
            Refusal(
                "pg_partition_tree",
                .undefinedFunction("pg_partition_tree"),
                cockroachFunctions
            ),
            Refusal("pg_relation_size", .undefinedFunction("pg_relation_size"), cockroachFunctions),
            Refusal(
                "pg_stat_get_xact",
                .undefinedFunction("pg_stat_get_xact_tuples_inserted"),
                cockroachFunctions
            ),
            Refusal(
                ".xmax = 0",
                .undefinedColumn("xmax"),
                "https://github.com/cockroachdb/cockroach/pull/50519"
            ),
            Refusal("LISTEN dbclient", .syntaxError, cockroachNotifications),
            Refusal("NOTIFY dbclient", .syntaxError, cockroachNotifications),
            Refusal(
                "CREATE TEMPORARY TABLE",
                .notSupported,
                "https://www.cockroachlabs.com/docs/stable/temporary-tables"
            ),
            Refusal(
                "LOCK TABLE",
                .syntaxError,
                "https://github.com/cockroachdb/cockroach/issues/43654"
            ),
            Refusal(
                "FOR EACH STATEMENT",
                .notSupported,
                "https://github.com/cockroachdb/docs/pull/23130/files"
            ),
        ],
        rewrites: [
            (
                "ISOLATION LEVEL REPEATABLE READ", "ISOLATION LEVEL SERIALIZABLE",
                "https://www.cockroachlabs.com/docs/stable/read-committed"
            ),
            (
                " json NOT NULL", " jsonb NOT NULL",
                "https://www.cockroachlabs.com/docs/stable/jsonb"
            ),
            (" json,", " jsonb,", "https://www.cockroachlabs.com/docs/stable/jsonb"),
            (" json)", " jsonb)", "https://www.cockroachlabs.com/docs/stable/jsonb"),
        ]
    )

    private static let cockroachFunctions =
        "https://github.com/cockroachdb/cockroach/blob/master/docs/generated/sql/functions.md"
    private static let cockroachNotifications =
        "https://github.com/cockroachdb/cockroach/issues/41522"

    /// The version that is built on PostgreSQL 11; later ones have notifications and advisory locks.
    static let yugabyteDB = ServerProfile(
        name: "YugabyteDB",
        reports: ["server_version": "11.2-YB-2.20.1.0-b0"],
        refusals: [
            Refusal(
                ".xmax = 0",
                .notSupported,
                "https://github.com/yugabyte/yugabyte-db/issues/24843"
            ),
            Refusal("LOCK TABLE", .notSupported, yugabyteCompatibility),
            Refusal("LISTEN dbclient", .notSupported, yugabyteCompatibility),
            Refusal("NOTIFY dbclient", .notSupported, yugabyteCompatibility),
            Refusal(
                "advisory_",
                .notSupported,
                "https://github.com/yugabyte/yugabyte-db/issues/3642"
            ),
            Refusal("pg_current_xact_id", .undefinedFunction("pg_current_xact_id"), postgreSQL13),
            Refusal("pg_xact_status", .undefinedFunction("pg_xact_status"), postgreSQL13),
            Refusal("pg_current_snapshot", .undefinedFunction("pg_current_snapshot"), postgreSQL13),
            Refusal("pg_partition_tree", .undefinedFunction("pg_partition_tree"), postgreSQL12),
            Refusal("pg_partition_root", .undefinedFunction("pg_partition_root"), postgreSQL12),
        ]
    )

    private static let yugabyteCompatibility =
        "https://docs.yugabyte.com/latest/explore/ysql-language-features/postgresql-compatibility/"
    /// What PostgreSQL 13 has brought.
    private static let postgreSQL13 = "https://www.postgresql.org/docs/release/13.0/"
    /// What PostgreSQL 12 has brought.
    private static let postgreSQL12 = "https://www.postgresql.org/docs/release/12.0/"

    /// Every table as one that is distributed.
    static let citus = ServerProfile(
        name: "Citus",
        refusals: [
            Refusal(
                "CREATE TRIGGER",
                .notSupported,
                "https://github.com/citusdata/citus/pull/5705"
            ),
            Refusal(
                "RETURNING NOT EXISTS",
                .notSupported,
                "https://docs.citusdata.com/en/stable/develop/reference_workarounds.html"
            ),
        ]
    )
}

extension ServerProfile.Refusal {
    init(
        _ text: String,
        _ state: ServerProfile.State,
        _ source: String = "every state of a feature"
    ) {
        self.init(text: text, state: state, source: source)
    }
}
