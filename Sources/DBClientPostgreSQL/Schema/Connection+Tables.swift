import DBClientSQL

extension PostgreSQLConnection {
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
