/// Something that the client asks of a PostgreSQL server, and goes without where the server lacks it.
///
/// Servers that speak PostgreSQL's protocol lack some of it, and others keep it from ordinary roles. A feature that a
/// server refuses is not asked for again. ``substitute`` says what the client does in its place.
public enum PostgreSQLFeature: String, CaseIterable, Sendable {
    /// The number of the cluster, `pg_control_system()`.
    case clusterIdentifier
    /// When the statistics of the server were reset, which tells one run of it from another.
    case statisticsReset
    /// Whether the server follows another one, `pg_is_in_recovery()`.
    case recoveryState
    /// The number of a transaction and what became of it, `pg_current_xact_id()` and `pg_xact_status()`.
    case transactionNumbers
    /// The transactions that a snapshot sees, `pg_current_snapshot()` and the type `xid8`.
    case snapshots
    /// The levels of isolation below `SERIALIZABLE`.
    case weakIsolation
    /// `LISTEN` and `NOTIFY`, by which observers learn of commits at once.
    case notifications
    /// `CREATE TEMPORARY TABLE … ON COMMIT DROP`.
    case temporaryTables
    /// `COPY … FROM STDIN (FORMAT binary)`.
    case binaryCopy
    /// The system column `xmax` of a written row, which tells a row that was replaced from a new one.
    case rowMarks
    /// `INSERT … ON CONFLICT`, by which an upsert is one statement.
    case conflictClauses
    /// `pg_advisory_xact_lock()` and the like, locks that belong to no table.
    case advisoryLocks
    /// `LOCK TABLE`, which keeps other transactions from writing while a sequence or a whole table is changed.
    case tableLocks
    /// `ALTER SEQUENCE … RESTART`, which has generated keys go on after a given one.
    case sequenceRestart
    /// Functions in PL/pgSQL, which the triggers of the journal need.
    case functions
    /// `CREATE TRIGGER … FOR EACH STATEMENT`.
    case statementTriggers
    /// `CREATE INDEX CONCURRENTLY`, which builds an index while others write to the table.
    case concurrentIndexes
    /// How many rows of each table a transaction has written, `pg_stat_get_xact_tuples_inserted()` and the like.
    case writtenRowCounts
    /// The partitions of a table, `pg_partition_tree()`.
    case partitionTrees
    /// The size of a table, `pg_relation_size()`.
    case tableSizes
    /// `COLLATE "C"`, by which texts are compared by their bytes.
    case byteCollation

    /// What the client does without the feature; nil where calls that need it throw `.unsupported`.
    public var substitute: String? {
        switch self {
        case .clusterIdentifier: "The server is known by its address."
        case .statisticsReset, .transactionNumbers:
            "The outcome of a commit that was not answered stays unknown."
        case .recoveryState: "The server counts as one that is written to."
        case .weakIsolation: "Every transaction is serializable."
        case .notifications: "Observers read the journal every 50 milliseconds."
        case .temporaryTables, .binaryCopy: "Many rows are sent as lists, by one statement."
        case .rowMarks, .conflictClauses: "An upsert updates, and inserts what it has not found."
        case .tableLocks:
            "A sequence moves to the larger of its value and a given key, and a key that was taken meanwhile is made again."
        case .advisoryLocks, .concurrentIndexes, .tableSizes:
            "Indexes are built within the transaction."
        case .writtenRowCounts:
            "Observers compare everything that triggers and foreign keys may write."
        case .partitionTrees: "Tables count as unpartitioned."
        case .snapshots, .functions, .statementTriggers, .byteCollation, .sequenceRestart: nil
        }
    }

    /// The feature in the words of an error message.
    var words: String {
        switch self {
        case .clusterIdentifier: "pg_control_system()"
        case .statisticsReset: "pg_stat_bgwriter"
        case .recoveryState: "pg_is_in_recovery()"
        case .transactionNumbers: "pg_current_xact_id()"
        case .snapshots: "pg_current_snapshot() and the type xid8"
        case .weakIsolation: "isolation below SERIALIZABLE"
        case .notifications: "LISTEN and NOTIFY"
        case .temporaryTables: "temporary tables that end with their transaction"
        case .binaryCopy: "COPY in the binary format"
        case .rowMarks: "the system column xmax"
        case .conflictClauses: "ON CONFLICT"
        case .advisoryLocks: "advisory locks"
        case .tableLocks: "LOCK TABLE"
        case .sequenceRestart: "ALTER SEQUENCE … RESTART"
        case .functions: "functions in PL/pgSQL"
        case .statementTriggers: "triggers for each statement"
        case .concurrentIndexes: "CREATE INDEX CONCURRENTLY"
        case .writtenRowCounts: "pg_stat_get_xact_tuples_inserted()"
        case .partitionTrees: "pg_partition_tree()"
        case .tableSizes: "pg_relation_size()"
        case .byteCollation: "the collation \"C\""
        }
    }

    /// The states with which a server refuses what it lacks, or keeps from the role.
    ///
    /// A permission or a name counts only where the statement is about nothing of the caller's.
    var refusals: Set<String> {
        switch self {
        case .clusterIdentifier, .statisticsReset, .recoveryState, .transactionNumbers, .snapshots,
            .advisoryLocks, .writtenRowCounts, .partitionTrees, .tableSizes:
            ["42883", "42P01", "42703", "42704", "42501", "0A000"]
        case .temporaryTables: ["0A000", "42601", "42501"]
        case .rowMarks: ["0A000", "42703"]
        case .functions, .byteCollation: ["0A000", "42601", "42704"]
        case .weakIsolation, .notifications, .binaryCopy, .conflictClauses, .tableLocks,
            .sequenceRestart, .statementTriggers, .concurrentIndexes:
            ["0A000", "42601"]
        }
    }

    /// What a message names that is about the feature being missing; none where the state says enough.
    var names: [String] {
        switch self {
        case .clusterIdentifier: ["pg_control_system", "system_identifier"]
        case .statisticsReset: ["pg_stat_bgwriter", "stats_reset"]
        case .recoveryState: ["pg_is_in_recovery"]
        case .transactionNumbers: ["pg_current_xact_id", "pg_xact_status", "xid8"]
        case .snapshots: ["pg_current_snapshot", "xid8"]
        case .advisoryLocks: ["advisory"]
        case .writtenRowCounts: ["pg_stat_get_xact"]
        case .partitionTrees: ["pg_partition_tree", "pg_partition_root"]
        case .tableSizes: ["pg_relation_size"]
        case .rowMarks: ["xmax"]
        case .functions: ["plpgsql"]
        case .byteCollation: ["collat", "COLLAT"]
        default: []
        }
    }

    /// The feature that a statement needs which is sent ahead of another one; nil where none may be lacking.
    static func neededAhead(by statement: String) -> PostgreSQLFeature? {
        if statement.hasPrefix("BEGIN ISOLATION LEVEL RE") { return .weakIsolation }
        if statement.hasPrefix("SELECT pg_current_xact_id()") { return .transactionNumbers }
        if statement.hasPrefix("CREATE TEMPORARY TABLE") { return .temporaryTables }
        if statement.hasPrefix("LOCK TABLE") { return .tableLocks }
        return nil
    }
}
