import DBClientCore
import DBClientSQL

/// Reads what a PostgreSQL server says of the tables of the session's schema, on one snapshot.
struct PostgreSQLCatalogReader {
    /// How many rows of a table are looked at to tell what its arrays and keys hold.
    static let sampledRows = 10_000

    let transaction: ReadTransaction

    /// The types that are no domains, and those at the bottom of each domain.
    private static let basedTypes = """
        WITH RECURSIVE based (oid, base) AS (
            SELECT oid, oid FROM pg_catalog.pg_type WHERE typtype <> 'd'
            UNION ALL
            SELECT d.oid, b.base FROM pg_catalog.pg_type d JOIN based b ON d.typbasetype = b.oid
            WHERE d.typtype = 'd'
        )
        """

    /// The tables of the schema, beside those of extensions and the parts of partitioned ones.
    private static let tables = """
        pg_catalog.pg_class c
        WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace
                WHERE nspname = pg_catalog.current_schema())
            AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.objid = c.oid
                AND e.classid = 'pg_catalog.pg_class'::regclass AND e.deptype = 'e')
        """

    func catalog() throws -> DatabaseCatalog {
        try checkSchema()
        var catalog = DatabaseCatalog()
        let found = try transaction.rows(
            """
            SELECT c.relname::text AS name, c.relkind::text AS kind,
                pg_catalog.obj_description(c.oid, 'pg_class') AS comment,
                pg_catalog.has_table_privilege(c.oid, 'SELECT') AS is_readable
            FROM \(raw: Self.tables) ORDER BY c.relname::text COLLATE "C"
            """
        )
        var columns = try columns()
        var indexes = try indexes()
        var foreignKeys = try foreignKeys()
        for row in found {
            let name = try row.value("name", as: String.self)
            if name == RelationshipNotes.table {
                catalog.relationships = try RelationshipNotes(transaction).relationships()
            }
            if DatabaseCatalog.bookkeeping.contains(name) { continue }
            var table = CatalogTable(name: name)
            table.kind =
                switch try row.value("kind", as: String.self) {
                case "v", "m": .view
                case "f": .foreignTable
                default: .table
                }
            if try !row.value("is_readable", as: Bool.self) {
                table.kind = .other("table that the role may not read")
            }
            let (comment, notes) = Self.notes(try row.value("comment", as: String?.self) ?? "")
            table.comment = comment
            table.columns = columns.removeValue(forKey: name) ?? []
            for position in table.columns.indices {
                guard let note = notes[table.columns[position].name].flatMap(WrittenNote.init),
                    let kind = note.kind
                else { continue }
                table.columns[position].meaning = .field(kind)
                table.columns[position].format = note.format
            }
            (table.primaryKey, table.indexes) = indexes.removeValue(forKey: name) ?? ([], [])
            table.foreignKeys = foreignKeys.removeValue(forKey: name) ?? []
            try sample(&table)
            catalog.tables.append(table)
        }
        catalog.enums = try enums()
        return catalog
    }

    private func checkSchema() throws {
        let rows = try transaction.rows("SELECT pg_catalog.current_schema()::text AS name")
        if try rows.first?.value("name", as: String?.self) != nil { return }
        throw DBClientError(
            .notFound,
            "The schema must exist, and the role must be allowed to use it.",
            hint: "Name a schema of the database."
        )
    }

    /// Divides the comment of a table into what people say and what the library has noted of the columns.
    private static func notes(_ comment: String) -> (comment: String?, [String: String]) {
        let mark = "dbclient columns "
        var lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
        var notes: [String: String] = [:]
        if let last = lines.last, last.hasPrefix(mark) {
            lines.removeLast()
            for column in RelationshipNotes.pairs(in: String(last.dropFirst(mark.count))) {
                notes[column.name] = column.note
            }
        }
        let rest = lines.joined(separator: "\n")
        return (rest.isEmpty ? nil : rest, notes)
    }

    private func columns() throws -> [String: [CatalogColumn]] {
        let rows = try transaction.rows(
            """
            \(raw: Self.basedTypes)
            SELECT c.relname::text AS table_name, a.attname::text AS name,
                pg_catalog.format_type(a.atttypid, a.atttypmod) AS declared,
                (t.typelem <> 0 AND t.typcategory = 'A') AS is_array,
                coalesce(e.typname, t.typname)::text AS type_name,
                coalesce(e.typtype, t.typtype)::text = 'e' AS is_enum,
                coalesce(e.typnamespace, t.typnamespace) <> c.relnamespace AS is_foreign,
                a.attnotnull AS is_required, pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS default_value,
                a.attidentity::text AS identity, a.attgenerated::text AS generated,
                c.relkind IN ('r', 'p') AND pg_catalog.pg_get_serial_sequence(
                    c.oid::regclass::text, a.attname::text) IS NOT NULL AS has_sequence,
                pg_catalog.col_description(c.oid, a.attnum) AS comment
            FROM pg_catalog.pg_attribute a
            JOIN (SELECT * FROM \(raw: Self.tables)) c ON c.oid = a.attrelid
            JOIN based b ON b.oid = a.atttypid
            JOIN pg_catalog.pg_type t ON t.oid = b.base
            LEFT JOIN based be ON be.oid = t.typelem AND t.typcategory = 'A'
            LEFT JOIN pg_catalog.pg_type e ON e.oid = be.base
            LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE a.attnum > 0 AND NOT a.attisdropped
            ORDER BY c.relname::text COLLATE "C", a.attnum
            """
        )
        var columns: [String: [CatalogColumn]] = [:]
        for row in rows {
            let type = PostgreSQLColumnRule.ServerType(
                name: try row.value("type_name", as: String.self),
                isEnum: try row.value("is_enum", as: Bool.self),
                isForeign: try row.value("is_foreign", as: Bool.self),
                hasModifiers: try row.value("declared", as: String.self).contains("(")
            )
            let isArray = try row.value("is_array", as: Bool.self)
            let column = CatalogColumn(
                name: try row.value("name", as: String.self),
                declaredType: try row.value("declared", as: String.self),
                meaning: PostgreSQLColumnRule.meaning(of: type, isArray: isArray),
                isRequired: try row.value("is_required", as: Bool.self),
                defaultValue: try row.value("default_value", as: String?.self),
                source: try Self.source(row),
                comment: try row.value("comment", as: String?.self)
            )
            columns[try row.value("table_name", as: String.self), default: []].append(column)
        }
        return columns
    }

    private static func source(_ row: SQLRow) throws -> CatalogColumn.Source {
        if try !row.value("generated", as: String.self).isEmpty { return .computed }
        if try row.value("identity", as: String.self) == "a" { return .identityAlways }
        return try row.value("has_sequence", as: Bool.self) ? .sequence : .row
    }

    private func indexes() throws -> [String: (key: [String], indexes: [CatalogIndex])] {
        let rows = try transaction.rows(
            """
            SELECT c.relname::text AS table_name, i.relname::text AS name, x.indisunique AS is_unique,
                x.indisprimary AS is_primary,
                x.indpred IS NULL AND x.indisvalid AND m.amname IN ('btree', 'hash') AS is_plain,
                a.attname::text AS column_name
            FROM pg_catalog.pg_index x
            JOIN (SELECT * FROM \(raw: Self.tables)) c ON c.oid = x.indrelid
            JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
            JOIN pg_catalog.pg_am m ON m.oid = i.relam
            CROSS JOIN LATERAL pg_catalog.generate_series(0, x.indnkeyatts - 1) k
            LEFT JOIN pg_catalog.pg_attribute a
                ON a.attrelid = x.indrelid AND a.attnum = x.indkey[k] AND x.indkey[k] > 0
            ORDER BY c.relname::text COLLATE "C", i.relname::text COLLATE "C", k
            """
        )
        var indexes: [String: (key: [String], indexes: [CatalogIndex])] = [:]
        for row in rows {
            let table = try row.value("table_name", as: String.self)
            let name = try row.value("name", as: String.self)
            var found = indexes[table] ?? ([], [])
            let column = try row.value("column_name", as: String?.self)
            if try row.value("is_primary", as: Bool.self) {
                if let column { found.key.append(column) }
            } else {
                if found.indexes.last?.name != name {
                    found.indexes.append(
                        CatalogIndex(
                            name: name,
                            columns: [],
                            isUnique: try row.value("is_unique", as: Bool.self),
                            isPlain: try row.value("is_plain", as: Bool.self)
                        )
                    )
                }
                let last = found.indexes.count - 1
                if let column {
                    found.indexes[last].columns.append(column)
                } else {
                    found.indexes[last].isPlain = false
                }
            }
            indexes[table] = found
        }
        return indexes
    }

    private func foreignKeys() throws -> [String: [CatalogForeignKey]] {
        let rows = try transaction.rows(
            """
            SELECT c.relname::text AS table_name, k.conname::text AS name,
                CASE WHEN f.relnamespace = c.relnamespace THEN f.relname::text END AS target,
                a.attname::text AS own, b.attname::text AS other, k.confdeltype::text AS rule
            FROM pg_catalog.pg_constraint k
            JOIN (SELECT * FROM \(raw: Self.tables)) c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
            CROSS JOIN LATERAL pg_catalog.generate_subscripts(k.conkey, 1) n
            JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[n]
            JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[n]
            WHERE k.contype = 'f'
            ORDER BY c.relname::text COLLATE "C", k.conname::text COLLATE "C", n
            """
        )
        var keys: [String: [(name: String, key: CatalogForeignKey)]] = [:]
        for row in rows {
            let table = try row.value("table_name", as: String.self)
            let name = try row.value("name", as: String.self)
            var found = keys[table] ?? []
            if found.last?.name != name {
                let rule = try row.value("rule", as: String.self)
                let key = CatalogForeignKey(
                    columns: [],
                    table: try row.value("target", as: String?.self),
                    targets: [],
                    onDelete: Self.rules[rule] ?? .noAction
                )
                found.append((name, key))
            }
            found[found.count - 1].key.columns.append(try row.value("own", as: String.self))
            found[found.count - 1].key.targets.append(try row.value("other", as: String.self))
            keys[table] = found
        }
        return keys.mapValues { keys in
            keys.map(\.key).sorted { $0.columns.lexicographicallyPrecedes($1.columns) }
        }
    }

    private static let rules: [String: CatalogForeignKey.Rule] = [
        "c": .cascade, "n": .setNull, "d": .setDefault,
    ]

    private func enums() throws -> [CatalogEnum] {
        let rows = try transaction.rows(
            """
            SELECT t.typname::text AS name, l.enumlabel::text AS label,
                pg_catalog.obj_description(t.oid, 'pg_type') AS comment
            FROM pg_catalog.pg_type t JOIN pg_catalog.pg_enum l ON l.enumtypid = t.oid
            WHERE t.typnamespace = (SELECT oid FROM pg_catalog.pg_namespace
                WHERE nspname = pg_catalog.current_schema())
            ORDER BY t.typname::text COLLATE "C", l.enumsortorder
            """
        )
        var enums: [CatalogEnum] = []
        for row in rows {
            let name = try row.value("name", as: String.self)
            if enums.last?.name != name {
                let comment = try row.value("comment", as: String?.self)
                enums.append(CatalogEnum(name: name, labels: [], comment: comment))
            }
            enums[enums.count - 1].labels.append(try row.value("label", as: String.self))
        }
        return enums
    }

    /// Looks at rows for what the types do not tell: nulls in arrays, arrays in arrays, and keys that are 0.
    private func sample(_ table: inout CatalogTable) throws {
        guard table.kind == .table else { return }
        for (position, column) in table.columns.enumerated() {
            let rows: SQL = """
                (SELECT \(identifier: column.name) AS v FROM \(identifier: table.name)
                LIMIT \(raw: String(Self.sampledRows))) AS sample
                """
            if case .field(.list(let kind, _), _) = column.meaning,
                column.declaredType.hasSuffix("[]")
            {
                let found = try transaction.rows(
                    """
                    SELECT coalesce(bool_or(array_ndims(v) > 1), false) AS is_nested,
                        coalesce(bool_or(EXISTS (SELECT FROM unnest(v) AS e WHERE e IS NULL)), false)
                            AS has_absent
                    FROM \(rows)
                    """
                )
                guard let row = found.first else { continue }
                if try row.value("is_nested", as: Bool.self) {
                    table.columns[position].meaning =
                        .none(reason: "its arrays have more than one dimension")
                } else {
                    let hasAbsent = try row.value("has_absent", as: Bool.self)
                    table.columns[position].meaning = .field(.list(kind, hasAbsent: hasAbsent))
                }
            } else if table.primaryKey == [column.name], column.meaning.kind == .int {
                let found = try transaction.rows(
                    "SELECT EXISTS (SELECT FROM \(identifier: table.name) WHERE \(identifier: column.name) = 0) AS zero"
                )
                table.columns[position].holdsZero =
                    try found.first?.value("zero", as: Bool.self) ?? false
            }
        }
    }
}
