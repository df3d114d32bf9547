import DBClientCore
import DBClientSQL

/// What a table of another's making may do with a write beside what it says.
struct TableTraits {
    /// Whether a trigger or a rule may leave a row out, or put it elsewhere, without an error.
    var mayIgnore = false
    /// Whether it is no table, but a view.
    var isView = false
    /// Whether triggers or rules may write anything.
    var hasTriggers = false
    /// Whether foreign keys delete or change rows when a row of the table is deleted.
    var hasDeleteActions = false
    /// Whether foreign keys change rows when a row of the table is changed.
    var hasUpdateActions = false
    /// The most characters of each field's column; nil where it has no limit or is no text.
    var lengths: [Int?] = [] {
        didSet { hasLengths = lengths.contains { $0 != nil } }
    }
    /// The statements that fail once a column has other limits than those that values are rounded to, and keep the columns
    /// as they are until the transaction ends; none where no values are rounded.
    var checksOfLimits: [String] = []
    /// The statement that fails once a column has another type than the one that rows are copied as; nil on servers whose
    /// columns are described otherwise.
    var checkOfTypes: String?
    /// Whether any column takes texts of some length alone.
    private(set) var hasLengths = false

    /// What a table is found to have, as columns of a query whose `c` is the table's row in `pg_class`.
    ///
    /// Of the types of a trigger, 1 is for each row, 2 before and 64 instead. A view is written through to tables
    /// that have what they have.
    static func columns(_ lacks: (PostgreSQLFeature) -> Bool) -> String {
        """
        c.relkind = 'v' OR EXISTS (SELECT FROM pg_catalog.pg_rewrite r
                WHERE r.ev_class = c.oid AND r.ev_type <> '1')
            OR EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE NOT t.tgisinternal
                AND t.tgenabled <> 'D' AND t.tgtype & 1 = 1 AND t.tgtype & 66 <> 0
                AND \(isOfTable(lacks))),
        \(hasTriggers(lacks)),
        EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.confrelid = c.oid
            AND k.contype = 'f' AND k.confdeltype IN ('c', 'n', 'd')
            AND k.conname <> '\(PostgreSQLConnection.linkKey)'),
        EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.confrelid = c.oid
            AND k.contype = 'f' AND k.confupdtype IN ('c', 'n', 'd')),
        c.relkind = 'v'
        """
    }

    /// Whether the table `c` has triggers or rules that may write, those of the library left aside.
    static func hasTriggers(_ lacks: (PostgreSQLFeature) -> Bool) -> String {
        """
        (c.relkind = 'v' OR EXISTS (SELECT FROM pg_catalog.pg_rewrite r
                WHERE r.ev_class = c.oid AND r.ev_type <> '1')
            OR EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE NOT t.tgisinternal
                AND t.tgenabled <> 'D' AND t.tgname !~ '^\(Journal.table)(_|$)'
                AND \(isOfTable(lacks))))
        """
    }

    /// Whether the trigger `t` is one of the table `c` or of a partition of it.
    private static func isOfTable(_ lacks: (PostgreSQLFeature) -> Bool) -> String {
        if lacks(.partitionTrees) { return "t.tgrelid = c.oid" }
        return """
            (t.tgrelid = c.oid OR t.tgrelid IN (
                SELECT relid FROM pg_catalog.pg_partition_tree(c.oid)))
            """
    }
}
