import DBClientCore
import DBClientSQL
import Foundation

/// An index over what is left of values that are too long for one.
///
/// The server refuses index entries of over 2,704 bytes. Few tables ever see such a value, so an index
/// is an ordinary one until the first comes: then the index is made again, over the first characters
/// or bytes of each value, or over digests where it has to distinguish all values. Queries stay what they
/// are and are answered without it.
enum PrefixIndex {
    private static let mark = "DBClient index of "

    /// The names of the columns that an index covers, by its comment; nil for any other comment.
    static func columns(in comment: String) -> [String]? {
        guard comment.hasPrefix(mark) else { return nil }
        return try? JSONDecoder().decode(
            [String].self,
            from: Data(comment.dropFirst(mark.count).utf8)
        )
    }

    /// Makes an index again so that it takes values of any length, or all of a table's where nothing
    /// tells which it is.
    ///
    /// Only those that are as the library makes them: of another, more would be lost than its name says.
    ///
    /// - Returns: Whether there was any.
    static func shorten(
        _ index: String?,
        of table: String,
        on connection: PostgreSQLConnection
    ) throws -> Bool {
        var found: [(name: String, isUnique: Bool, columns: [(name: String, isLong: Bool)])] = []
        try connection.each(
            """
            SELECT i.relname::text, x.indisunique, a.attname::text,
                a.atttypid IN (17, 25, 1042, 1043)
            FROM pg_catalog.pg_index x
            JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
            JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
            JOIN pg_catalog.pg_am m ON m.oid = i.relam AND m.amname = 'btree'
            CROSS JOIN LATERAL pg_catalog.generate_series(0, x.indnkeyatts - 1) k
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[k]
            WHERE t.relname = $1::text AND pg_catalog.pg_table_is_visible(t.oid)
                AND NOT x.indisprimary AND x.indexprs IS NULL AND x.indpred IS NULL
                AND x.indnatts = x.indnkeyatts
                AND NOT (1 = ANY (x.indoption) OR 3 = ANY (x.indoption))
                AND pg_catalog.to_jsonb(x) ->> 'indnullsnotdistinct' IS DISTINCT FROM 'true'
                AND NOT EXISTS (
                    SELECT 1 FROM pg_catalog.pg_opclass o
                    WHERE o.oid = ANY (x.indclass) AND NOT o.opcdefault)
                AND NOT EXISTS (
                    SELECT 1 FROM pg_catalog.pg_constraint c WHERE c.conindid = i.oid)
                AND ($2::text = '' OR i.relname = $2::text)
            ORDER BY i.oid, k
            """,
            [table, index ?? ""]
        ) { row in
            let name = String(decoding: row[0].bytes, as: UTF8.self)
            if found.last?.name != name { found.append((name, row[1].integer != 0, [])) }
            found[found.count - 1].columns.append(
                (String(decoding: row[2].bytes, as: UTF8.self), row[3].integer != 0)
            )
        }
        found.removeAll { index in !index.columns.contains { $0.isLong } }
        for index in found {
            try remake(index.name, index.isUnique, index.columns, table, connection)
        }
        return !found.isEmpty
    }

    private static func remake(
        _ index: String,
        _ isUnique: Bool,
        _ columns: [(name: String, isLong: Bool)],
        _ table: String,
        _ connection: PostgreSQLConnection
    ) throws {
        let names = try JSONEncoder().encode(columns.map(\.name))
        var text = SQLText(connection.dialect)
        text.append("DROP INDEX ")
        text.append(identifier: index)
        try connection.execute(text.sql)
        text = SQLText(connection.dialect)
        text.append(isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
        text.append(identifier: index)
        text.append(" ON ")
        text.append(identifier: table)
        text.append(" (")
        text.append(columns) { text, column in
            // Both functions take texts as well as data.
            if column.isLong { text.append(isUnique ? "md5(" : "substr(") }
            text.append(identifier: column.name)
            if column.isLong { text.append(isUnique ? ")" : ", 1, 200)") }
        }
        text.append(")")
        try connection.execute(text.sql)
        text = SQLText(connection.dialect)
        text.append("COMMENT ON INDEX ")
        text.append(identifier: index)
        text.append(" IS ")
        let comment = mark + String(decoding: names, as: UTF8.self)
        text.append(comment.sqlLiteral)
        try connection.execute(text.sql)
    }
}
