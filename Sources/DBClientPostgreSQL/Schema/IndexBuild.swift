import DBClientCore
import DBClientSQL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Builds indexes of tables that have rows, concurrently with reads and writes.
///
/// The server does so outside of a transaction, without a time limit. An interrupted build leaves an invalid index,
/// which is dropped and rebuilt. One session at a time builds for one schema.
struct IndexBuild {
    private let session: Session
    private let cancellation: UnitCancellation?
    private var connection: PostgreSQLConnection { session.connection }

    init(_ session: Session, _ cancellation: UnitCancellation?) {
        self.session = session
        self.cancellation = cancellation
    }

    /// Builds what the tables of some entities lack.
    ///
    /// - Throws: `.uniqueViolation` where rows have the same values of a unique index; then the index is missing, and
    ///   writes are refused. `.cancelled` when the task is cancelled. What was committed before stays.
    func run(for entities: [EntitySchema]) throws {
        do {
            try perform { for entity in entities { try build(entity) } }
        } catch {
            throw isCancelled ? Self.interruption : error
        }
    }

    /// Builds what the table of an entity lacks for a unit of work that was undone.
    ///
    /// - Throws: What ``run(for:)`` throws.
    func makeMissing(of entity: EntitySchema) throws {
        do {
            try perform { try build(entity) }
        } catch {
            throw isCancelled ? UnitCancellation.error : error
        }
    }

    /// Makes an index again so that it takes values of any length, or all of a table's where nothing tells which it
    /// is.
    ///
    /// - Returns: Whether there was any, before another session made it again.
    /// - Throws: What the server says; `.cancelled` when the task is cancelled, and nothing was written.
    func shorten(_ index: String?, of table: String) throws -> Bool {
        if try PrefixIndex.find(index, of: table, on: connection).isEmpty { return false }
        do {
            try perform {
                for found in try PrefixIndex.find(index, of: table, on: connection) {
                    try replace(found, of: table)
                }
            }
        } catch {
            throw isCancelled ? UnitCancellation.error : error
        }
        return true
    }

    /// Runs a body while no other session builds, without a limit of time.
    private func perform(_ body: () throws -> Void) throws {
        guard cancellation?.arm(connection.canceller) ?? true else { throw UnitCancellation.error }
        defer {
            disarm()
            session.transaction.didBuildIndexes()
        }
        try connection.withoutLimits {
            try lock()
            try body()
        }
    }

    /// Replaces an index by one of shortened values, which is there before the other one goes.
    private func replace(_ index: PrefixIndex, of table: String) throws {
        // By this name, one whose making was interrupted is found again.
        let name = "dbclient_\(index.identifier)"
        let isValid = try isValid(name, of: table)
        if isValid == false { try drop(name, of: table) }
        if isValid != true {
            try concurrently {
                try connection.execute(
                    index.creation(of: name, on: table, option: $0, connection.dialect)
                )
            }
        }
        try connection.execute(try index.comment(on: name, of: table, connection.dialect))
        try drop(index.name, of: table)
        var text = SQLText(connection.dialect)
        text.append("ALTER INDEX ")
        text.append(identifier: name, besideTable: table)
        text.append(" RENAME TO ")
        text.append(identifier: index.name)
        try connection.execute(text.sql)
    }

    /// Whether the build of an index has come to its end; nil where there is none of the name.
    private func isValid(_ name: String, of table: String) throws -> Bool? {
        var quoted = SQLText(connection.dialect)
        quoted.append(identifier: name, besideTable: table)
        var isValid: Bool?
        try connection.each(
            """
            SELECT indisvalid FROM pg_catalog.pg_index
            WHERE indexrelid = pg_catalog.to_regclass($1::text)
            """,
            [quoted.sql]
        ) { isValid = $0[0].integer != 0 }
        return isValid
    }

    private static let interruption = DBClientError(
        .cancelled,
        "The task was cancelled before all indexes were built; what the migration changed before is committed.",
        hint: "Migrate again, which builds the others."
    )

    private var isCancelled: Bool { cancellation?.isCancelled ?? false }

    private func disarm() {
        if cancellation?.disarm() == false { connection.link.breakOff() }
    }

    private func lock() throws {
        if connection.lacks(.advisoryLocks) { return }
        while true {
            // A request to cancel has no effect between two statements.
            if isCancelled { throw UnitCancellation.error }
            var isLocked = false
            do {
                try connection.each("SELECT pg_catalog.pg_try_advisory_lock(\(Self.key))", []) {
                    isLocked = $0[0].integer != 0
                }
            } catch let error as DBClientError where error.isRefusal(of: .advisoryLocks) {
                connection.features.note(.advisoryLocks)
                return
            }
            if isLocked { return }
            // A session that waited in the server would be waited for by the session that builds.
            usleep(100_000)
        }
    }

    /// The number of the lock: one for each schema.
    static let key =
        "pg_catalog.hashtextextended('dbclient_index ' || pg_catalog.current_schema(), 0)"

    /// How often the build of a table's indexes is restarted at most.
    private static let maximumAttempts = 20

    private func build(_ entity: EntitySchema) throws {
        for attempt in 1... {
            do {
                return try buildOnce(entity)
            } catch let error as DBClientError
                where isRace(error) && attempt < Self.maximumAttempts
            {
                // The build waits for transactions, and one of them for a lock that it has.
                usleep(UInt32.random(in: 1_000...50_000))
            }
        }
    }

    /// Whether two sessions were in each other's way: without a lock, two may build the same index.
    private func isRace(_ error: DBClientError) -> Bool {
        error.sqlState == "40P01"
            || (connection.lacks(.advisoryLocks) && error.sqlState == "42P07")
    }

    private func buildOnce(_ entity: EntitySchema) throws {
        let sql = TableSQL(entity, connection.dialect)
        guard let found = try connection.describe(sql.name) else { return }
        // The part of the transaction that added a column may have been undone.
        let columns = Set(found.columns.map { Array($0.name.utf8) })
        for index in found.missingIndexes(of: sql)
        where index.fields.allSatisfy({ columns.contains(Array(sql.columnName($0).utf8)) }) {
            for name in try invalidIndexes(sql.name, index.fields.map { sql.columnName($0) }) {
                try drop(name, of: sql.name)
            }
            let name = try session.transaction.indexName(index, sql)
            do {
                try create(index, name, sql)
            } catch {
                try? clear(name, of: sql.name)
                throw error
            }
        }
    }

    /// Drops an index whose build has failed, unless the connection is lost: the next build drops it then.
    private func clear(_ name: String, of table: String) throws {
        if isCancelled {
            // A request that comes late must not end this as well, and the caller does not wait for long.
            disarm()
            guard connection.isIdle else { return }
            let milliseconds = max(connection.configuration.lockTimeout.nanoseconds / 1_000_000, 1)
            try connection.execute("SET statement_timeout = \(milliseconds)")
        }
        if connection.isIdle { try drop(name, of: table) }
    }

    private func create(_ index: IndexSchema, _ name: String, _ sql: TableSQL) throws {
        func create(_ option: String) throws {
            let text = sql.createIndex(index, named: name, option: option)
            do {
                try connection.execute(text)
            } catch let error as DBClientError {
                throw connection.explained(error, sql.entity, text)
            }
        }
        do {
            try concurrently(create)
        } catch let error as DBClientError where error.sqlState == "54000" {
            // A value is too long for an index of whole values.
            try drop(name, of: sql.name)
            let shortened = PrefixIndex(index, of: sql, named: name)
            try concurrently {
                try connection.execute(
                    shortened.creation(of: name, on: sql.name, option: $0, connection.dialect)
                )
            }
            try connection.execute(
                try shortened.comment(on: name, of: sql.name, connection.dialect)
            )
        } catch let error as DBClientError where error.code == .uniqueViolation {
            var error = error
            error.field = index.fields.map { sql.entity.fields[$0].name }.joined(separator: ", ")
            throw error
        }
    }

    private func drop(_ name: String, of table: String) throws {
        var text = SQLText(connection.dialect)
        text.append(identifier: name, besideTable: table)
        try concurrently { try connection.execute("DROP INDEX \($0)IF EXISTS \(text.sql)") }
    }

    /// Runs a statement beside others where the server can, and else in their way: over partitions, and where it
    /// has no such word.
    private func concurrently(_ body: (String) throws -> Void) throws {
        if connection.lacks(.concurrentIndexes) { return try body("") }
        do {
            try body("CONCURRENTLY ")
        } catch let error as DBClientError where error.isRefusal(of: .concurrentIndexes) {
            if error.sqlState == "42601" { connection.features.note(.concurrentIndexes) }
            try body("")
        }
    }

    /// Returns the names of the invalid indexes over some columns that no session is building.
    private func invalidIndexes(_ table: String, _ columns: [String]) throws -> [String] {
        var quoted = SQLText(connection.dialect)
        quoted.append(table: table)
        var names: [String] = []
        var found: [String] = []
        func flush(_ name: String?) {
            if let name, found == columns { names.append(name) }
            found = []
        }
        var last: String?
        try connection.each(
            """
            SELECT i.relname::text, a.attname::text
            FROM pg_catalog.pg_index x
            JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
            CROSS JOIN LATERAL pg_catalog.generate_series(0, x.indnkeyatts - 1) k
            JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[k]
            WHERE x.indrelid = pg_catalog.to_regclass($1::text) AND NOT x.indisvalid
                AND x.indpred IS NULL AND NOT EXISTS (
                    SELECT 1 FROM pg_catalog.pg_stat_progress_create_index p
                    WHERE p.index_relid = x.indexrelid)
            ORDER BY i.oid, k
            """,
            [quoted.sql]
        ) { row in
            let name = text(row[0])
            if name != last { flush(last) }
            last = name
            found.append(text(row[1]))
        }
        flush(last)
        return names
    }
}

extension PostgreSQLConnection {
    /// Whether the session shares its connection with others, or the table is small: to build its indexes takes
    /// next to no time then, or cannot be done in another way.
    ///
    /// By the size of its files: to ask for a row would be a read of the whole table to a serializable transaction.
    func buildsIndexes(of table: String) throws -> Bool {
        if state.isMigrating, !keepsStatements {
            pending.append("SET LOCAL statement_timeout = 0")
            return true
        }
        if lacks(.tableSizes) || lacks(.advisoryLocks) || lacks(.concurrentIndexes) {
            willAlter()
            return true
        }
        var text = SQLText(dialect)
        text.append(table: table)
        var isSmall = true
        let partitions =
            lacks(.partitionTrees)
            ? ""
            : """
             + coalesce((SELECT sum(pg_catalog.pg_relation_size(relid))
                FROM pg_catalog.pg_partition_tree(pg_catalog.to_regclass($1::text))), 0)
            """
        try using(.partitionTrees) {
            try using(.tableSizes) {
                try each(
                    """
                    SELECT coalesce(pg_catalog.pg_relation_size(pg_catalog.to_regclass($1::text)), 0)\(partitions)
                        <= 1048576
                    """,
                    [text.sql]
                ) { isSmall = $0[0].integer != 0 }
            }
        }
        if isSmall { willAlter() }
        return isSmall
    }

    func literal(_ value: Slot, of field: FieldSchema) throws -> String {
        let type = ServerType.name(of: field.type)
        let statement = try statement("SELECT pg_catalog.quote_literal($1::\(type))", isKept: false)
        try statement.parameters.set(value, at: 0, copying: true)
        var literal = ""
        try statement.values(on: nil) { row in
            literal = text(row[0])
            return false
        }
        return "\(literal)::\(type)"
    }

    /// Runs a body outside of a transaction, without a limit of its time or of its waiting for locks.
    fileprivate func withoutLimits(_ body: () throws -> Void) throws {
        try execute("SET statement_timeout = 0")
        try execute("SET lock_timeout = 0")
        defer {
            do {
                if !lacks(.advisoryLocks) {
                    try execute("SELECT pg_catalog.pg_advisory_unlock_all()")
                }
                try execute("RESET lock_timeout")
                let milliseconds = max(configuration.statementTimeout.nanoseconds / 1_000_000, 1)
                try execute("SET statement_timeout = \(milliseconds)")
            } catch {
                link.breakOff()
            }
        }
        try waiting(forAsLongAs: .seconds(86_400 * 365), body)
    }
}
