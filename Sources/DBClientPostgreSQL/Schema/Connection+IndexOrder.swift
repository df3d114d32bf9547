import DBClientCore
import DBClientSQL

extension PostgreSQLConnection {
    /// Whether no index begins with a field's values in the order of bytes, or of UUIDs.
    func lacksIndex(ordering field: Int, of table: TableSQL) throws -> Bool {
        let column = table.columnName(field)
        let isUUID = table.entity.fields[field].type == .uuid
        var isThere = false
        try each(
            """
            SELECT 1 FROM pg_catalog.pg_index x
            LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
                AND x.indkey[0] > 0
            JOIN pg_catalog.pg_collation c ON c.oid = x.indcollation[0] OR $3::text = 'uuid'
            CROSS JOIN LATERAL (SELECT pg_catalog.pg_get_indexdef(x.indexrelid, 1, false)) d(text)
            WHERE x.indrelid = pg_catalog.to_regclass($1::text) AND x.indisvalid
                AND x.indpred IS NULL
                AND CASE WHEN $3::text = 'uuid'
                    THEN a.attname IS NULL AND d.text LIKE '%::uuid%' ELSE c.collname = 'C' END
                AND (a.attname::text = $2::text OR a.attname IS NULL
                    AND pg_catalog.strpos(d.text, pg_catalog.quote_ident($2::text)) > 0)
            LIMIT 1
            """,
            [quoted(table.name), column, isUUID ? "uuid" : ""]
        ) { _ in isThere = true }
        return !isThere
    }
}
