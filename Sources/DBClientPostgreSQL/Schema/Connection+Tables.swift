import DBClientCore
import DBClientSQL

extension PostgreSQLConnection {
    /// Returns the form of lists of an array, whose elements may be absent where one is that is there; nil where an array
    /// has several dimensions.
    func form(
        ofValuesIn column: SQLTableDescription.Column,
        of table: String
    ) throws -> FieldForm? {
        guard let dialect = dialect as? PostgreSQLDialect,
            let plain = dialect.formOfLists(in: column, hasAbsent: false)
        else { return nil }
        var mayRead = false
        try each(
            """
            SELECT pg_catalog.has_column_privilege(
                pg_catalog.to_regclass($1::text), $2::text, 'SELECT')
            """,
            [quoted(table), column.name]
        ) { mayRead = $0[0].integer != 0 }
        guard mayRead else { return plain }
        var text = SQLText(dialect)
        text.append("SELECT coalesce(pg_catalog.bool_or(pg_catalog.array_ndims(a) > 1), false), ")
        text.append("coalesce(pg_catalog.bool_or(EXISTS (")
        text.append("SELECT FROM pg_catalog.unnest(a) AS e WHERE e IS NULL)), false) FROM (SELECT ")
        text.append(identifier: column.name)
        text.append(" AS a FROM ")
        text.append(table: table)
        text.append(") AS t")
        var (isNested, hasAbsent) = (false, false)
        try each(text.sql, []) { (isNested, hasAbsent) = ($0[0].integer != 0, $0[1].integer != 0) }
        if isNested { return nil }
        return hasAbsent ? dialect.formOfLists(in: column, hasAbsent: true) : plain
    }

    func tables() throws -> [String] {
        try checkSchemas()
        var names: [String] = []
        // The rows of a partition are those of its table.
        try each(
            """
            SELECT relname::text FROM pg_catalog.pg_class
            WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition
                AND relname::text <> $1::text AND relnamespace = (
                    SELECT oid FROM pg_catalog.pg_namespace
                    WHERE nspname = pg_catalog.current_schema())
            ORDER BY relname::text COLLATE "C"
            """,
            [Journal.table]
        ) { names.append(text($0[0])) }
        // Each of them is in the current schema, whatever its name begins with.
        for name in names where name.utf8.contains(UInt8(ascii: ".")) {
            dialect.traits.wholeNames?.note(name, isThere: true)
        }
        return names
    }
}
