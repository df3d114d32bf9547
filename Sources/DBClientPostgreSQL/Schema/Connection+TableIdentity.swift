import DBClientCore
import DBClientSQL

// A statement that was prepared for a table goes on with another one that takes its name, and would read and write its
// values as what they are not. So each statement says for which table it was made. The server knows a table by its
// name when it reads a statement, and works out there and then whether it is that one: it costs a run nothing.
extension PostgreSQLConnection {
    /// Returns what statements say of a table.
    func identity(
        of sql: TableSQL,
        _ found: FoundTable,
        _ types: [ServerType],
        _ tests: [String]
    ) -> SQLTableIdentity {
        let kept = sql.entity.fields.indices.filter {
            types[$0].isOfNewColumn(of: sql.entity.fields[$0])
        }
        let isThere = "\(quoted(sql.name).sqlLiteral)::regclass = \(found.identifier)::oid"
        return SQLTableIdentity(
            condition: """
                CASE WHEN \(([isThere] + tests).joined(separator: " AND ")) THEN true \
                ELSE '\"\(Self.replaced)\"'::text::regclass IS NULL END
                """,
            types: Dictionary(
                uniqueKeysWithValues: kept.map {
                    ($0, ServerType.name(of: sql.entity.fields[$0].type))
                }
            )
        )
    }

    /// What the server finds no table of, once another one has taken the place of a table.
    fileprivate static let replaced = "dbclient: a table that another one has replaced"

    /// Returns tests that hold as long as the texts of a table compare as they did when it was looked at.
    ///
    /// Each compares two constants by the collation of a column: a constant in place of a column has its collation. So
    /// the server works it out when it plans the statement, as it does which table it is, and again once another program
    /// has altered the column.
    func collationTests(of sql: TableSQL, in found: FoundTable) throws -> [String] {
        if features.changesColumns || lacks(.byteCollation) { return [] }
        let row = nullRow(of: sql, in: found)
        let names = Set(
            sql.entity.fields.indices
                .filter { sql.entity.fields[$0].type.slotKind == .text }
                .map { sql.columnName($0) }
        )
        return try found.columns.compactMap { column in
            let name = column.description.name
            guard column.collation != 0, names.contains(name) else { return nil }
            var text = SQLText(dialect)
            text.append(identifier: name)
            func replacing(_ constant: String) -> String {
                "CASE WHEN true THEN \(constant) ELSE (\(row).\(text.sql))::text END"
            }
            switch try collation(column.collation) {
            // Every alphabet has the small letter first.
            case .bytes: return "NOT 'a' < \(replacing("'B'"))"
            // One letter in two spellings, which are equal unless equality is that of the bytes.
            case .ofOwnOrder: return "NOT '\u{e9}' = \(replacing("'e\u{301}'"))"
            case .ofOwnEquality: return nil
            }
        }
    }

    /// Returns a row of a table without values, by whose columns the server tells what they are at present.
    private func nullRow(of sql: TableSQL, in found: FoundTable) -> String {
        var table = SQLText(dialect)
        table.append(identifier: found.schema)
        table.append(".")
        table.append(identifier: dialect.parts(ofTable: sql.name).name)
        return "(NULL::\(table.sql))"
    }

    /// Returns the statement that fails unless columns have the types that they had.
    ///
    /// The server takes the values of a COPY for those of any type of their length, and when it reads a statement it looks
    /// at the columns of now, not at those of the transaction's snapshot.
    func checkOfTypes(of sql: TableSQL, in found: FoundTable) -> String? {
        if features.changesColumns { return nil }
        let row = nullRow(of: sql, in: found)
        let names = Set(sql.entity.fields.indices.map { sql.columnName($0) })
        let tests = found.columns.filter { names.contains($0.description.name) }.map { column in
            var text = SQLText(dialect)
            text.append(identifier: column.description.name)
            return "pg_catalog.pg_typeof(\(row).\(text.sql)) = \(column.typeIdentifier)::oid"
        }
        return """
            SELECT '\"\(Self.replaced)\"'::text::regclass \
            WHERE NOT (\(tests.joined(separator: " AND ")))
            """
    }

    /// Returns the statements that fail unless columns have the digits or the length that they had, and keep others from
    /// altering the table.
    ///
    /// A transaction may have a snapshot of the catalog that is older than the change; the file in which the server has the
    /// rows is the one of now, and to narrow a column takes another one.
    func checksOfLimits(
        of columns: [(name: String, modifier: Int64)],
        in found: FoundTable
    ) throws -> [String] {
        let changes = columns.map {
            "attname = \($0.name.sqlLiteral) AND atttypmod <> \($0.modifier)"
        }
        let table = "\(found.identifier)::oid"
        var (file, lock): (String, String?) = ("NULL", nil)
        if !features.changesColumns {
            try each(
                """
                SELECT pg_catalog.pg_relation_filenode(c.oid)::text, c.relkind = 'r' AND (
                    pg_catalog.has_table_privilege(c.oid, 'INSERT')
                    OR pg_catalog.has_table_privilege(c.oid, 'UPDATE')),
                    \(Self.columnWithRight(to: "INSERT")), \(Self.columnWithRight(to: "UPDATE"))
                FROM pg_catalog.pg_class c WHERE c.oid = $1::text::oid
                """,
                [String(found.identifier)]
            ) { row in
                if !row[0].isNull { file = text(row[0]) }
                if row[1].integer != 0 {
                    lock = "LOCK TABLE ONLY \(quoted(found.name)) IN ROW EXCLUSIVE MODE"
                } else if !row[2].isNull {
                    lock = Self.lockByPlan(
                        "INSERT INTO \(quoted(found.name)) (\(text(row[2]))) SELECT NULL"
                    )
                } else if !row[3].isNull {
                    lock = Self.lockByPlan(
                        "UPDATE ONLY \(quoted(found.name)) SET \(text(row[3])) = NULL"
                    )
                }
            }
        }
        let hasOtherFile =
            file == "NULL" ? "false" : "pg_catalog.pg_relation_filenode(\(table)) <> \(file)"
        let check = """
            SELECT '\"\(Self.replaced)\"'::text::regclass WHERE \(hasOtherFile) \
            OR EXISTS (SELECT FROM pg_catalog.pg_attribute \
            WHERE attrelid = \(table) AND (\(changes.joined(separator: " OR "))))
            """
        return [lock, check].compactMap(\.self)
    }

    /// Returns a statement that locks a table as a write does, for a role that may write some columns alone, which the
    /// server lets lock nothing: to tell how it would write, it takes the lock, and keeps it until the transaction ends.
    private static func lockByPlan(_ write: String) -> String {
        "EXPLAIN (COSTS OFF) \(write) WHERE false"
    }

    /// Returns a query of a column of the table `c` that the role may write, where it may not write them all.
    private static func columnWithRight(to verb: String) -> String {
        """
        (SELECT pg_catalog.quote_ident(a.attname) FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attgenerated = '' AND a.attidentity <> 'a'
        AND pg_catalog.has_column_privilege(c.oid, a.attnum, '\(verb)')
        ORDER BY a.attnum LIMIT 1)
        """
    }

    /// Whether a statement is there to fail where a table is no longer what it was.
    static func isCheck(_ statement: String) -> Bool { statement.contains(replaced) }

    /// Has the next statement fail unless a table is the one that it was.
    func checkIdentity(of sql: TableSQL) {
        if let identity = sql.identity {
            pending.append("SELECT 1 WHERE NOT (\(identity.condition))")
        }
    }
}

extension ServerType {
    /// Whether a column that is made for a field has the type.
    fileprivate func isOfNewColumn(of field: FieldSchema) -> Bool {
        arrayName == "\(Self.name(of: field.type))[]" || self == .timestamptz && field.type == .date
    }
}

extension DBClientError {
    /// Whether a statement was made for a table that another one has replaced.
    var isAboutReplacedTable: Bool {
        sqlState == "42P01" && engineMessage?.contains(PostgreSQLConnection.replaced) == true
    }
}
