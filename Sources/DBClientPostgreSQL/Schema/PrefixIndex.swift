import DBClientCore
import DBClientSQL
import Foundation

/// An index over what is left of values that are too long for one.
///
/// The server refuses index entries of over 2,704 bytes. Few tables ever see such a value, so an index
/// is an ordinary one until the first comes: then the index is made again, over the first characters
/// or bytes of each value, or over digests where it has to distinguish all values. Queries stay what they
/// are and are answered without it.
struct PrefixIndex {
    /// The name of the index, not quoted.
    let name: String
    let isUnique: Bool
    /// The columns, each with whether its values may be too long.
    fileprivate(set) var columns: [(name: String, isLong: Bool)]
    /// The server's number of the index.
    let identifier: Int64

    private static let mark = "DBClient index of "

    /// Describes an index of an entity that is to be made under a name.
    init(_ index: IndexSchema, of sql: TableSQL, named name: String) {
        self.name = name
        isUnique = index.isUnique
        columns = index.fields.map { field in
            let type = sql.entity.fields[field].type
            return (sql.columnName(field), [.text, .url, .data].contains(type))
        }
        identifier = 0
    }

    private init(_ name: String, isUnique: Bool, _ identifier: Int64) {
        self.name = name
        self.isUnique = isUnique
        self.identifier = identifier
        columns = []
    }

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
    /// - Returns: Whether there was any.
    static func shorten(
        _ index: String?,
        of table: String,
        on connection: PostgreSQLConnection
    ) throws -> Bool {
        let found = try find(index, of: table, on: connection)
        for index in found {
            var text = SQLText(connection.dialect)
            text.append("DROP INDEX ")
            text.append(identifier: index.name, besideTable: table)
            try connection.execute(text.sql)
            try connection.execute(index.creation(of: index.name, on: table, connection.dialect))
            try connection.execute(try index.comment(on: index.name, of: table, connection.dialect))
        }
        return !found.isEmpty
    }

    /// Returns the index of a name, or all of a table's, that take no value that is too long.
    ///
    /// Only those that are as the library makes them: of another, more would be lost than its name says.
    static func find(
        _ index: String?,
        of table: String,
        on connection: PostgreSQLConnection
    ) throws -> [PrefixIndex] {
        var found: [PrefixIndex] = []
        try connection.each(
            """
            SELECT i.relname::text, x.indisunique, a.attname::text,
                a.atttypid IN (17, 25, 1042, 1043), i.oid
            FROM pg_catalog.pg_index x
            JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
            JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
            JOIN pg_catalog.pg_am m ON m.oid = i.relam AND m.amname = 'btree'
            CROSS JOIN LATERAL pg_catalog.generate_series(0, x.indnkeyatts - 1) k
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[k]
            WHERE t.oid = pg_catalog.to_regclass($1::text)
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
            [connection.quoted(table), index ?? ""]
        ) { row in
            let name = text(row[0])
            if found.last?.name != name {
                found.append(PrefixIndex(name, isUnique: row[1].integer != 0, row[4].integer))
            }
            found[found.count - 1].columns.append((text(row[2]), row[3].integer != 0))
        }
        return found.filter { $0.columns.contains { $0.isLong } }
    }

    /// Returns the statement that makes it under a name.
    ///
    /// - Parameters:
    ///   - name: The name, not quoted.
    ///   - table: The table's name, not quoted.
    ///   - option: The words between the verb and the name, with a space after them.
    ///   - dialect: That of the connection.
    /// - Returns: The statement.
    func creation(
        of name: String,
        on table: String,
        option: String = "",
        _ dialect: any SQLDialect
    ) -> String {
        var text = SQLText(dialect)
        text.append(isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
        text.append(option)
        text.append(identifier: name)
        text.append(" ON ")
        text.append(table: table)
        text.append(" (")
        text.append(columns) { text, column in
            // Both functions take texts as well as data.
            if column.isLong { text.append(isUnique ? "md5(" : "substr(") }
            text.append(identifier: column.name)
            if column.isLong { text.append(isUnique ? ")" : ", 1, 200)") }
        }
        text.append(")")
        return text.sql
    }

    /// Returns the statement that notes with the index of a name, of a table, which columns it covers.
    func comment(
        on name: String,
        of table: String,
        _ dialect: any SQLDialect
    ) throws -> String {
        let names = try JSONEncoder().encode(columns.map(\.name))
        var text = SQLText(dialect)
        text.append("COMMENT ON INDEX ")
        text.append(identifier: name, besideTable: table)
        text.append(" IS ")
        text.append((Self.mark + String(decoding: names, as: UTF8.self)).sqlLiteral)
        return text.sql
    }
}
