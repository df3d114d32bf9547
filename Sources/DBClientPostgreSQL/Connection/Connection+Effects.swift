import DBClientCore
import DBClientSQL

// What triggers and foreign keys write beside what the calls say.
extension PostgreSQLConnection {
    /// Asks the server which tables the transaction has written, where calls wrote to one whose triggers or foreign
    /// keys may write more.
    ///
    /// The server counts what each transaction writes. What the session has written in the last second before may
    /// count as well: then observers compare for nothing.
    func takeTablesWrittenUnseen() -> Set<String> {
        guard let written = state.takeWritten(), state.hasBegun, !state.hasFailed else { return [] }
        var tables: [(name: String, hasTriggers: Bool, isFollowing: Bool)] = []
        do {
            try each(Self.writtenTables, []) { row in
                tables.append((text(row[0]), row[1].integer != 0, row[2].integer != 0))
            }
        } catch {
            // The transaction has failed by that, so its end throws.
            return []
        }
        // What a trigger writes is anything; a foreign key changes the rows that refer to others.
        let hasTriggers = tables.contains { $0.hasTriggers }
        return Set(
            tables.filter { table in
                table.isFollowing
                    || (hasTriggers && (table.hasTriggers || !written.contains(table.name)))
            }.map(\.name)
        )
    }

    /// The tables of the schema of which the transaction has written rows, or all where the server does not count,
    /// each with whether it has triggers, and whether foreign keys change its rows.
    private static let writtenTables = """
        SELECT DISTINCT coalesce(
                (SELECT p.relname FROM pg_catalog.pg_class p
                WHERE p.oid = pg_catalog.pg_partition_root(c.oid)), c.relname)::text,
            \(TableTraits.hasTriggers),
            EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'
                AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd'))
                AND k.conname <> '\(linkKey)')
        FROM pg_catalog.pg_class c
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = (
                SELECT oid FROM pg_catalog.pg_namespace
                WHERE nspname = pg_catalog.current_schema())
            AND (pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid)
                    + pg_catalog.pg_stat_get_xact_tuples_updated(c.oid)
                    + pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) > 0
                OR pg_catalog.current_setting('track_counts') = 'off')
        """
}
