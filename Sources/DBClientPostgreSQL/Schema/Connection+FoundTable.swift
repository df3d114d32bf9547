import CLibPQ
import DBClientCore
import DBClientSQL

// The catalog is asked for all of a table in one trip, by queries that take the server little to plan: it plans them anew
// each time, which is most of what a small query costs. What few tables have is asked for afterwards.
extension PostgreSQLConnection {
    /// Returns what the catalog has of a table; nil where there is none.
    func find(_ name: String) throws -> FoundTable? {
        var table = FoundTable(name: name)
        var isThere = false
        var notes: ColumnNotes?
        let parameters = [quoted(name)]
        try each([
            CatalogQuery(Self.tableQuery, parameters) { row in
                isThere = true
                table.identifier = row[0].integer
                table.isPlain = row[1].integer != 0
                if !row[2].isNull {
                    notes = ColumnNotes(text(row[2]))
                    table.comment = notes?.rest
                }
                table.schema = unquoted(text(row[3]))
                table.kind = FoundTable.Kind(rawValue: text(row[4])) ?? .table
            },
            CatalogQuery(Self.columnQuery, parameters) { row in
                table.columns.append(FoundTable.Column(row, notes))
            },
            CatalogQuery(Self.indexQuery, parameters) { row in
                if let index = FoundTable.Index(row, of: table.columns) {
                    table.indexes.append(index)
                }
            },
        ])
        // A table may have no column.
        return isThere && !table.columns.isEmpty ? table : nil
    }

    /// The server's number of the table, whether nothing acts on its rows but what is said to, its comment, its schema,
    /// and its kind.
    private static let tableQuery = """
        SELECT c.oid, c.relkind = 'r' AND NOT c.relhastriggers AND NOT c.relhasrules, d.description,
            c.relnamespace::pg_catalog.regnamespace::text, c.relkind::text
        FROM pg_catalog.pg_class c
        LEFT JOIN pg_catalog.pg_description d ON d.objoid = c.oid
            AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid = 0
        WHERE c.oid = pg_catalog.to_regclass($1::text)
        """

    private static let columnQuery = """
        SELECT a.attname::text, a.attnum, a.atttypid, a.atttypmod, a.attcollation,
            pg_catalog.format_type(a.atttypid, a.atttypmod),
            a.attnotnull, a.atthasdef OR a.attidentity <> '',
            a.attgenerated <> '', a.attidentity = 'a',
            t.typtype = 'e', t.typtype = 'd' OR t.typcategory = 'A' AND t.oid >= 16384
        FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = pg_catalog.to_regclass($1::text)
            AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum
        """

    private static let indexQuery = """
        SELECT i.relname::text, x.indisunique, x.indisprimary, x.indkey::text, x.indnkeyatts,
            i.relkind = 'I', i.oid, d.description
        FROM pg_catalog.pg_index x
        JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
        LEFT JOIN pg_catalog.pg_description d ON d.objoid = i.oid
            AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objsubid = 0
        WHERE x.indrelid = pg_catalog.to_regclass($1::text)
            AND x.indpred IS NULL AND x.indisvalid
        ORDER BY i.oid
        """

    /// Adds the collations of columns that have one.
    func describeCollations(
        of table: FoundTable,
        in columns: inout [SQLTableDescription.Column]
    ) throws {
        for (index, column) in table.columns.enumerated() where column.collation != 0 {
            columns[index].collation = try collation(column.collation)
        }
        // A type with an equality of its own has no collation that says so.
        for index in columns.indices
        where DeclaredType(columns[index].underlyingType).name == "citext" {
            columns[index].collation = .ofOwnEquality
        }
    }

    /// The numbers of "C" and "POSIX", which are the same in every database.
    private static let byteCollations: Set<Int64> = [950, 951]

    /// Returns how a collation compares; the connection asks once for each, since none changes.
    func collation(_ identifier: Int64) throws -> SQLTableDescription.Collation {
        if Self.byteCollations.contains(identifier), !features.changesColumns { return .bytes }
        if let known = collations[identifier] { return known }
        var found = SQLTableDescription.Collation.ofOwnOrder
        try each(
            """
            SELECT CASE WHEN c.oid = 100 THEN (
                    SELECT d.datcollate IN ('C', 'POSIX') FROM pg_catalog.pg_database d
                    WHERE d.datname = pg_catalog.current_database())
                ELSE c.collname IN ('C', 'POSIX', 'ucs_basic') END,
                c.collisdeterministic
            FROM pg_catalog.pg_collation c WHERE c.oid = $1::text::pg_catalog.oid
            """,
            [String(identifier)]
        ) { row in
            if row[0].integer != 0 {
                found = .bytes
            } else if row[1].integer == 0 {
                found = .ofOwnEquality
            }
        }
        collations[identifier] = found
        return found
    }

    /// Adds what types are made of that are made of others.
    func describeTypes(
        of table: FoundTable,
        in columns: inout [SQLTableDescription.Column]
    ) throws {
        guard table.columns.contains(where: \.isMade) else { return }
        try each(
            """
            SELECT a.attnum, b.name,
                b.typtype = 'e' OR EXISTS (
                    SELECT FROM pg_catalog.pg_type l
                    JOIN pg_catalog.pg_type e ON e.oid = l.typelem AND e.typtype = 'e'
                    WHERE l.oid = b.oid AND l.typcategory = 'A')
            FROM pg_catalog.pg_attribute a
            CROSS JOIN LATERAL (
                WITH RECURSIVE made AS (
                    SELECT t.oid, a.atttypmod AS modifier, t.typtype, t.typbasetype, t.typtypmod
                    FROM pg_catalog.pg_type t WHERE t.oid = a.atttypid
                    UNION ALL
                    SELECT t.oid, made.typtypmod, t.typtype, t.typbasetype, t.typtypmod
                    FROM made JOIN pg_catalog.pg_type t ON t.oid = made.typbasetype
                    WHERE made.typtype = 'd')
                SELECT pg_catalog.format_type(oid, modifier) AS name, typtype, oid
                FROM made WHERE typtype <> 'd') b
            WHERE a.attrelid = $1::text::pg_catalog.oid AND a.attnum > 0
            """,
            [String(table.identifier)]
        ) { row in
            guard
                let index = table.columns.firstIndex(where: {
                    $0.isMade && $0.number == row[0].integer
                })
            else { return }
            columns[index].underlyingType = text(row[1])
            columns[index].isEnumeration = row[2].integer != 0
        }
    }

    /// Returns what acts on the rows of a table beside what is said to.
    func traits(of table: FoundTable) throws -> TableTraits {
        var traits = TableTraits()
        // What another product reports of triggers need not count those of foreign keys.
        if table.isPlain, !features.changesColumns { return traits }
        try using(.partitionTrees) {
            try each(
                """
                SELECT \(TableTraits.columns(lacks))
                FROM pg_catalog.pg_class c WHERE c.oid = $1::text::pg_catalog.oid
                """,
                [String(table.identifier)]
            ) { row in
                traits.mayIgnore = row[0].integer != 0
                traits.hasTriggers = row[1].integer != 0
                traits.hasDeleteActions = row[2].integer != 0
                traits.hasUpdateActions = row[3].integer != 0
                traits.isView = row[4].integer != 0
            }
        }
        return traits
    }
}

extension FoundTable.Column {
    /// Reads a row of the query of columns.
    fileprivate init(_ row: UnsafeBufferPointer<Slot>, _ notes: ColumnNotes?) {
        let name = text(row[0])
        description = SQLTableDescription.Column(
            name: name,
            type: text(row[5]),
            isRequired: row[6].integer != 0,
            hasDefault: row[7].integer != 0,
            collation: .bytes,
            written: notes?[name]
        )
        description.underlyingType = description.type
        description.isEnumeration = row[10].integer != 0
        if row[8].integer != 0 { description.generation = .expression }
        if row[9].integer != 0 { description.generation = .identity }
        description.collationName = String(row[4].integer)
        number = row[1].integer
        typeIdentifier = row[2].integer
        type = ServerType(rawValue: UInt32(row[2].integer))
        modifier = row[3].integer
        collation = row[4].integer
        isMade = row[11].integer != 0
    }
}

extension FoundTable.Index {
    /// Reads a row of the query of indexes; nil for an index over an expression, which serves none of the library's.
    fileprivate init?(_ row: UnsafeBufferPointer<Slot>, of columns: [FoundTable.Column]) {
        var names: [String] = []
        if let written = row[7].isNull ? nil : PrefixIndex.columns(in: text(row[7])) {
            names = written
        } else {
            // Those after the first so many are no part of the key.
            for number in text(row[3]).split(separator: " ").prefix(Int(row[4].integer)) {
                guard let column = columns.first(where: { String($0.number) == number }) else {
                    return nil
                }
                names.append(column.description.name)
            }
        }
        self.init(
            name: text(row[0]),
            columns: names,
            isUnique: row[1].integer != 0,
            isPrimaryKey: row[2].integer != 0,
            isPartitioned: row[5].integer != 0,
            identifier: row[6].integer
        )
    }
}
