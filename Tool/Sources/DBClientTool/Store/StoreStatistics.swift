import DBClientCore
import DBClientObjectStore
import DBClientSQL
import DBClientSQLite

/// The size of a store, its oldest reader and the journal of its commits, as lines for a person.
enum StoreStatistics {
    /// Returns the lines, which tell what the engine knows and nothing else.
    static func lines(of store: Store) async throws -> [String] {
        switch store.address {
        case .objectStore:
            guard let client = store.client as? ObjectStoreDBClient else { return [] }
            return lines(try client.statistics())
        case .sqlite:
            guard let client = store.client as? SQLDBClient else { return [] }
            return lines(try client.sqliteStatistics())
        case .postgreSQL: return try await store.client.read { try lines(ofServer: $0) }
        }
    }

    private static func lines(_ statistics: ObjectStoreStatistics) -> [String] {
        var readers = "none"
        if let oldest = statistics.oldestReader {
            // The list of readers has no times.
            readers =
                "\(statistics.readers.count), the oldest in process \(oldest.process),"
                + " \(counted(oldest.commitsBehind, "commit")) behind"
        }
        var journal = "none"
        if let found = statistics.journal {
            journal = "empty"
            if let age = found.commitsSinceOldest {
                journal =
                    "\(counted(found.entryCount, "entry", "entries")), \(found.size) bytes,"
                    + " the oldest \(counted(age, "commit")) ago"
            }
        }
        return [
            "size: \(statistics.fileSize) bytes, on disk \(statistics.diskSize)",
            "readers: \(readers)", "journal: \(journal)",
        ]
    }

    private static func lines(_ statistics: SQLiteStatistics) -> [String] {
        var log = "\(statistics.logSize)"
        if let pending = statistics.pendingLogSize {
            log += ", of which \(pending) bytes of pages are not checkpointed"
        }
        return [
            "size: \(statistics.fileSize) bytes, write-ahead log \(log)",
            // SQLite lists no readers, and the library finds commits by the file itself.
            "journal: none",
        ]
    }

    // MARK: A server

    private static func lines(ofServer transaction: ReadTransaction) throws -> [String] {
        let size = try transaction.rows(
            "SELECT pg_catalog.pg_database_size(pg_catalog.current_database()) AS size"
        ).first?["size", as: Int.self]
        return [
            "size of the database: \(size ?? 0) bytes",
            "readers: \(try readers(transaction))", "journal: \(try journal(transaction))",
        ]
    }

    private static func readers(_ transaction: ReadTransaction) throws -> String {
        let rows = try transaction.rows(
            """
            SELECT pid, pg_catalog.age(backend_xmin)::bigint AS behind,
                pg_catalog.floor(extract(epoch FROM
                    pg_catalog.clock_timestamp() - coalesce(xact_start, query_start)))::bigint AS age,
                query IS NULL OR query = '<insufficient privilege>' AS is_hidden
            FROM pg_catalog.pg_stat_activity
            WHERE datname = pg_catalog.current_database()
                AND pid <> pg_catalog.pg_backend_pid()
            ORDER BY pg_catalog.age(backend_xmin) DESC NULLS LAST
            """
        )
        let hidden = try rows.filter { try $0.value("is_hidden", as: Bool.self) }.count
        let held = try rows.filter { try $0.value("behind", as: Int?.self) != nil }
        var text = "none"
        if let oldest = held.first {
            let process = try oldest.value("pid", as: Int.self)
            let behind = try oldest.value("behind", as: Int.self)
            text = "\(held.count), the oldest in process \(process)"
            if let age = try oldest.value("age", as: Int?.self) {
                text += ", begun \(counted(age, "second")) ago"
            }
            text += ", \(counted(behind, "transaction")) behind"
        }
        // What they read is not told to this role.
        return hidden == 0
            ? text : text + "; \(counted(hidden, "session")) of other roles cannot be seen"
    }

    private static func journal(_ transaction: ReadTransaction) throws -> String {
        let tables = try transaction.rows(
            """
            SELECT pg_catalog.pg_total_relation_size(oid) AS size FROM pg_catalog.pg_class
            WHERE relname = 'dbclient_journal'
                AND relnamespace = pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace
            """
        )
        guard let size = try tables.first?.value("size", as: Int.self) else { return "none" }
        // An entry has the number of its transaction. When one was, those tell that are made as old ones are removed.
        let rows = try transaction.rows(
            """
            SELECT entries, pg_catalog.pg_snapshot_xmax(
                    pg_catalog.pg_current_snapshot())::text::bigint - 1 - oldest AS behind,
                (SELECT pg_catalog.floor(extract(epoch FROM
                        pg_catalog.clock_timestamp() - min(noted)))::bigint
                    FROM dbclient_journal WHERE "transaction"::text::bigint > oldest) AS age
            FROM (SELECT count(*) AS entries, min("transaction"::text::bigint) AS oldest
                FROM dbclient_journal WHERE entity <> '') AS entries
            """
        )
        guard let row = rows.first, let behind = try row.value("behind", as: Int?.self) else {
            return "empty, \(size) bytes"
        }
        let entries = try row.value("entries", as: Int.self)
        var text = "\(counted(entries, "entry", "entries")), \(size) bytes"
        text += ", the oldest \(counted(behind, "transaction")) ago"
        if let age = try row.value("age", as: Int?.self) {
            text += " and more than \(counted(age, "second"))"
        }
        return text
    }

    private static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}
