import DBClientCore
import DBClientSQL

/// Where the rows come from that are read under the name of a view, a materialised view or a foreign table.
struct ViewSources: Equatable {
    /// The tables of this server that are read at each query, as ``PostgreSQLConnection/place(of:)-(FoundTable)`` has them.
    var tables: Set<String> = []
    /// The server's numbers of the materialised views, whose rows are those of their last refresh.
    var refreshed: Set<Int64> = []
    /// Whether there are rows that come from somewhere whose writes this server does not tell of: another server, or a
    /// function.
    var hasUntold = false

    /// Whether rows may change without a write to one of the tables.
    var isSilent: Bool { hasUntold || !refreshed.isEmpty }
}

extension PostgreSQLConnection {
    /// Has observers of a view told of what is written to the tables that it reads.
    func noteSources(of view: FoundTable) throws {
        names.note(try sources(of: view), of: view.name)
    }

    /// Returns where the rows of a view come from, through all views that it reads.
    func sources(of view: FoundTable) throws -> ViewSources {
        var sources = ViewSources()
        // The catalog of another product need not have what views depend on.
        if features.changesColumns || view.kind == .foreignTable {
            sources.hasUntold = true
            return sources
        }
        try each(Self.sourcesQuery, [String(view.identifier)]) { row in
            switch FoundTable.Kind(rawValue: text(row[0])) {
            case .table, .partitionedTable: sources.tables.insert("\(text(row[2])).\(text(row[3]))")
            case .materialisedView: sources.refreshed.insert(row[1].integer)
            default: sources.hasUntold = true
            }
        }
        // Tables of the server's own are not among those that a view depends on.
        if sources.tables.isEmpty, sources.refreshed.isEmpty { sources.hasUntold = true }
        return sources
    }

    /// The tables that a view reads, whatever views are between, and a row of no kind where a function is called whose
    /// result may change.
    private static let sourcesQuery = """
        WITH RECURSIVE s AS (
            SELECT c.oid, c.relkind FROM pg_catalog.pg_class c WHERE c.oid = $1::text::pg_catalog.oid
            UNION
            SELECT r.oid, r.relkind FROM s
            JOIN pg_catalog.pg_rewrite w ON w.ev_class = s.oid AND w.ev_type = '1' AND s.relkind = 'v'
            JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
                AND d.objid = w.oid AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                AND d.refobjid <> s.oid
            JOIN pg_catalog.pg_class r ON r.oid = d.refobjid)
        SELECT s.relkind::text, s.oid, n.nspname::text, c.relname::text FROM s
        JOIN pg_catalog.pg_class c ON c.oid = s.oid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE s.relkind IN ('r', 'p', 'm', 'f')
        UNION ALL
        SELECT '', 0::pg_catalog.oid, '', '' FROM s
        JOIN pg_catalog.pg_rewrite w ON w.ev_class = s.oid AND w.ev_type = '1' AND s.relkind = 'v'
        JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
            AND d.objid = w.oid AND d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
        JOIN pg_catalog.pg_proc p ON p.oid = d.refobjid AND p.provolatile <> 'i'
        """

    /// Returns a number of each of some materialised views that changes when one is refreshed; none for one that is gone.
    ///
    /// The server writes the view's row in its catalog anew with each refresh, whichever way it is done.
    func refreshes(of views: Set<Int64>) throws -> [Int64: String] {
        var refreshes: [Int64: String] = [:]
        try each(
            """
            SELECT c.oid, c.xmin::text FROM pg_catalog.pg_class c
            WHERE c.oid = ANY ($1::text::pg_catalog.oid[])
            """,
            ["{" + views.sorted().map(String.init).joined(separator: ",") + "}"]
        ) { refreshes[$0[0].integer] = text($0[1]) }
        return refreshes
    }
}
