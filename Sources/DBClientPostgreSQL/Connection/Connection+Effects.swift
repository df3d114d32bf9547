import DBClientCore
import DBClientSQL

// What triggers and foreign keys write beside what the calls say.
extension PostgreSQLConnection {
    /// Asks the server which tables the transaction has written, where calls wrote to one whose triggers or foreign
    /// keys may write more.
    ///
    /// The server counts what each transaction writes. What the session has written in the last second before may
    /// count as well: then observers compare for nothing.
    ///
    /// A table that has two names is written unseen under the other one, and so are the views over it.
    func takeTablesWrittenUnseen() -> Set<String> {
        let written = state.written
        let others = tablesWrittenByEffects()
        return others.union(otherNames(ofAny: written.union(others)))
    }

    private func tablesWrittenByEffects() -> Set<String> {
        guard let written = state.takeWritten(), state.hasBegun, !state.hasFailed else { return [] }
        var tables: [(names: [String], hasTriggers: Bool, isFollowing: Bool)] = []
        do {
            try using(.partitionTrees) {
                try using(.writtenRowCounts) {
                    try each(writtenTables, []) { row in
                        // A model may name a table of the search path with its schema or without it.
                        let (name, qualified) = (text(row[0]), "\(text(row[3])).\(text(row[0]))")
                        tables.append(
                            (
                                row[4].integer != 0 ? [name, qualified] : [qualified],
                                row[1].integer != 0, row[2].integer != 0
                            )
                        )
                    }
                }
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
                    || (hasTriggers && (table.hasTriggers || written.isDisjoint(with: table.names)))
            }.flatMap(\.names)
        )
    }

    /// The tables of which the transaction has written rows, or all where the server does not count,
    /// each with whether it has triggers, and whether foreign keys change its rows.
    private var writtenTables: String {
        let root =
            lacks(.partitionTrees)
            ? "c.oid" : "coalesce(pg_catalog.pg_partition_root(c.oid), c.oid)"
        let isWritten = """
            pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid)
                    + pg_catalog.pg_stat_get_xact_tuples_updated(c.oid)
                    + pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid) > 0
                OR pg_catalog.current_setting('track_counts') = 'off'
            """
        return """
            SELECT DISTINCT p.relname::text, \(TableTraits.hasTriggers(lacks)),
                EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'
                    AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd'))
                    AND k.conname <> '\(Self.linkKey)'),
                n.nspname::text, pg_catalog.pg_table_is_visible(p.oid)
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_class p ON p.oid = \(root)
            JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
            WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
                AND (\(lacks(.writtenRowCounts) ? "true" : isWritten))
            """
    }
}
