import DBClientCore
import DBClientSQL

// A table that is missing reads as empty, so it must not be missing because it was looked for in the wrong place.
extension PostgreSQLConnection {
    /// Looks whether the current schema has a table of a whole name with a dot, which goes before one in the schema that
    /// the name begins with: a version that knew no names of schemas made it.
    func findWhole(_ table: String) throws {
        guard table.utf8.contains(UInt8(ascii: ".")), let names = dialect.traits.wholeNames else {
            return
        }
        var isThere = false
        try each(
            """
            SELECT 1 FROM pg_catalog.pg_class
            WHERE relname = $1::text AND relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = (
                SELECT oid FROM pg_catalog.pg_namespace
                WHERE nspname = pg_catalog.current_schema())
            """,
            [table]
        ) { _ in isThere = true }
        names.note(table, isThere: isThere)
    }

    /// Throws where a table is missing because its schema does not exist or the role may not use it.
    func checkSchemas(of table: String) throws {
        guard let schema = dialect.parts(ofTable: table).schema else { return try checkSchemas() }
        var mayUse: Bool?
        try each(
            """
            SELECT pg_catalog.has_schema_privilege(oid, 'USAGE')
            FROM pg_catalog.pg_namespace WHERE nspname = $1::text
            """,
            [schema]
        ) { mayUse = $0[0].integer != 0 }
        if mayUse == true { return }
        throw DBClientError(
            mayUse == nil ? .notFound : .permission,
            mayUse == nil
                ? "The database has no schema \(schema), which the stored name begins with."
                : "The role may not use the schema \(schema), which the stored name begins with.",
            entity: table,
            hint: mayUse == nil
                ? "Make it, CREATE SCHEMA, or correct the stored name: a dot ends the name of a schema."
                : "Grant it USAGE on the schema."
        )
    }

    /// Throws where a table is missing because a schema does not exist or the role may not use it: the table would
    /// seem to be empty.
    func checkSchemas() throws {
        var isThere = false
        var isCurrent = false
        try each(
            """
            SELECT pg_catalog.current_schema()::text IS NOT DISTINCT FROM
                    coalesce(nullif($1::text, ''), pg_catalog.current_schema()::text, ''),
                EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1::text)
            """,
            [configuration.schema ?? ""]
        ) { row in
            isCurrent = row[0].integer != 0
            isThere = row[1].integer != 0
        }
        if isCurrent {
            if configuration.schema == nil { try checkSearchPath() }
            return
        }
        if isThere {
            throw DBClientError(
                .permission,
                "The role may not use the schema of the configuration.",
                field: "schema",
                hint: "Grant it USAGE on the schema."
            )
        }
        guard configuration.schema != nil else {
            throw DBClientError(
                .notFound,
                "No schema of the server's search_path is there, or none may be used by the role.",
                hint: "Name one in the configuration, or in the role's search_path."
            )
        }
        throw DBClientError(
            .notFound,
            "The database has no schema of the configuration's name.",
            field: "schema",
            hint: "Make it: CREATE SCHEMA."
        )
    }

    /// Throws where the server's `search_path` names a schema that does not exist or that the role may not use.
    ///
    /// The server passes over it without a word. `"$user"` and `public`, which stand in the path by default, may be
    /// missing.
    private func checkSearchPath() throws {
        var unusable: (name: String, exists: Bool)?
        try each(
            """
            SELECT p.name, s.oid IS NOT NULL
            FROM (SELECT CASE WHEN word LIKE '"%"'
                    THEN pg_catalog.replace(
                        pg_catalog.substr(word, 2, pg_catalog.length(word) - 2), '""', '"')
                    ELSE pg_catalog.lower(word) END AS name
                FROM (SELECT pg_catalog.btrim(part) AS word FROM pg_catalog.unnest(
                    pg_catalog.string_to_array(pg_catalog.current_setting('search_path'), ',')) part) w
                WHERE word <> '' AND (word NOT LIKE '%"%' OR word LIKE '"%"')) p
            LEFT JOIN pg_catalog.pg_namespace s ON s.nspname = p.name
            WHERE p.name NOT IN ('$user', 'public', 'pg_temp')
                AND (s.oid IS NULL OR NOT pg_catalog.has_schema_privilege(s.oid, 'USAGE'))
            LIMIT 1
            """,
            []
        ) { unusable = (text($0[0]), $0[1].integer != 0) }
        guard let unusable else { return }
        throw DBClientError(
            unusable.exists ? .permission : .notFound,
            unusable.exists
                ? "The role may not use a schema of the server's search_path, \(unusable.name)."
                : "The database has no schema \(unusable.name), which the server's search_path names.",
            field: "search_path",
            hint: "Correct the search_path, or name one schema in the configuration."
        )
    }

    /// Throws when a table is there whose name differs in case alone.
    func checkName(_ table: String) throws {
        let parts = dialect.parts(ofTable: table)
        var other: String?
        try each(
            """
            SELECT relname::text FROM pg_catalog.pg_class
            WHERE lower(relname::text COLLATE "C") = lower($1::text COLLATE "C")
                AND relname::text <> $1::text
                AND relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = (
                    SELECT oid FROM pg_catalog.pg_namespace
                    WHERE nspname = coalesce(nullif($2::text, ''), pg_catalog.current_schema()))
            """,
            [parts.name, parts.schema ?? ""]
        ) { other = dialect.name(text($0[0]), besideTable: table) }
        if let other { throw EntitySchema.nameTaken(table, as: other) }
    }
}
