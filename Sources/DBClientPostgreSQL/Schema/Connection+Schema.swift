import DBClientCore
import DBClientSQL

extension PostgreSQLConnection {
    func describe(_ table: String) throws -> SQLTableDescription? {
        try findWhole(table)
        var columns: [SQLTableDescription.Column] = []
        var notes: ColumnNotes?
        try each(
            """
            SELECT a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod),
                a.attnotnull, a.atthasdef OR a.attidentity <> '',
                CASE WHEN a.attcollation = 0 THEN true
                    WHEN a.attcollation = 100 THEN d.datcollate IN ('C', 'POSIX')
                    ELSE c.collname IN ('C', 'POSIX', 'ucs_basic') END,
                pg_catalog.obj_description(a.attrelid, 'pg_class'),
                coalesce(c.collisdeterministic, true), b.name,
                b.typtype = 'e' OR EXISTS (
                    SELECT FROM pg_catalog.pg_type l
                    JOIN pg_catalog.pg_type e ON e.oid = l.typelem AND e.typtype = 'e'
                    WHERE l.oid = b.oid AND l.typcategory = 'A'),
                a.attgenerated <> '', a.attidentity = 'a', a.attcollation
            FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()
            LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
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
            WHERE a.attrelid = pg_catalog.to_regclass($1::text)
                AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """,
            [quoted(table)]
        ) { row in
            if columns.isEmpty, !row[5].isNull { notes = ColumnNotes(text(row[5])) }
            let name = text(row[0])
            var column = SQLTableDescription.Column(
                name: name,
                type: text(row[1]),
                isRequired: row[2].integer != 0,
                hasDefault: row[3].integer != 0,
                collation: row[4].integer != 0
                    ? .bytes : row[6].integer != 0 ? .ofOwnOrder : .ofOwnEquality,
                written: notes?[name]
            )
            column.underlyingType = text(row[7])
            column.isEnumeration = row[8].integer != 0
            if row[9].integer != 0 { column.generation = .expression }
            if row[10].integer != 0 { column.generation = .identity }
            column.collationName = String(row[11].integer)
            // A type with an equality of its own has no collation that says so.
            if DeclaredType(column.underlyingType).name == "citext" {
                column.collation = .ofOwnEquality
            }
            columns.append(column)
        }
        if columns.isEmpty {
            try checkSchemas(of: table)
            try checkName(table)
            return nil
        }
        var description = SQLTableDescription(columns: columns, primaryKey: [], indexes: [])
        description.comment = notes?.rest
        for index in try indexes(of: table) {
            if index.isPrimaryKey { description.primaryKey = index.columns }
            description.indexes.append(
                SQLTableDescription.Index(
                    name: index.name,
                    columns: index.columns,
                    isUnique: index.isUnique
                )
            )
        }
        if description.primaryKey.isEmpty {
            if let key = try shardKey(of: table) {
                description.primaryKey = key
            } else if !lacks(.partitionTrees) {
                description.shardColumns = try using(.partitionTrees) {
                    try columnsOfShards(of: table)
                }
            }
        }
        description.generatesKeys =
            description.primaryKey.count == 1
            && columns.contains { $0.name == description.primaryKey[0] && $0.hasDefault }
        return description
    }

    /// Whether the transaction is serializable and writes, and the role may create tables.
    ///
    /// The server does not track that a transaction has found a table missing.
    func makesTablesItReads() throws -> Bool {
        guard state.isOpen, !state.isReadOnly, configuration.isolation == .serializable else {
            return false
        }
        var mayMake = false
        try each(
            """
            SELECT pg_catalog.has_schema_privilege(pg_catalog.current_schema(), 'CREATE')
                AND NOT pg_catalog.current_setting('transaction_read_only')::bool
            """,
            []
        ) { mayMake = !$0[0].isNull && $0[0].integer != 0 }
        return mayMake
    }

    func mayWrite(_ table: String) throws -> Bool {
        try findWhole(table)
        var mayWrite = false
        try each(
            """
            SELECT CASE WHEN pg_catalog.to_regclass($1::text) IS NULL
                THEN pg_catalog.has_schema_privilege(
                    coalesce(nullif($2::text, ''), pg_catalog.current_schema()), 'CREATE')
                ELSE pg_catalog.has_table_privilege(pg_catalog.to_regclass($1::text), 'INSERT')
                    AND pg_catalog.has_table_privilege(pg_catalog.to_regclass($1::text), 'UPDATE')
                END
            """,
            [quoted(table), dialect.parts(ofTable: table).schema ?? ""]
        ) { mayWrite = !$0[0].isNull && $0[0].integer != 0 }
        return mayWrite
    }

    func note(_ event: SQLSchemaEvent) throws {
        switch event {
        case .willAlter: willAlter()
        case .willDrop(let table): try willDrop(table)
        case .didCreate(let table, let entity): try didCreate(table, of: entity)
        case .didLeaveOutIndexes(let entity): state.indexed.append(entity)
        }
    }

    func isNameTaken(_ name: String) throws -> Bool {
        try findWhole(name)
        let parts = dialect.parts(ofTable: name)
        var isTaken = false
        try each(
            """
            SELECT 1 FROM pg_catalog.pg_class
            WHERE relname = $1::text AND relnamespace = (
                SELECT oid FROM pg_catalog.pg_namespace
                WHERE nspname = coalesce(nullif($2::text, ''), pg_catalog.current_schema()))
            """,
            [parts.name, parts.schema ?? ""]
        ) { _ in isTaken = true }
        return isTaken
    }

    func table(_ sql: TableSQL) throws -> any SQLTable {
        var isPartitioned = false
        for index in try indexes(of: sql.name) where index.isUnique {
            let constraint = UniqueConstraint(
                columns: index.columns,
                isPrimaryKey: index.isPrimaryKey
                    || Set(index.columns) == Set(sql.entity.primaryKey.map { sql.columnName($0) })
            )
            constraints[index.name] = constraint
            // A row breaks the rule of its partition's index.
            if index.isPartitioned {
                isPartitioned = true
                for name in try partitions(of: index) { constraints[name] = constraint }
            }
        }
        let isSharded = try !isPartitioned && shardKey(of: sql.name, sql.entity) != nil
        var types: [[UInt8]: ServerType] = [:]
        var identifier: Int64 = 0
        var lengths: [[UInt8]: Int] = [:]
        var modifiers: [[UInt8]: Int64] = [:]
        var traits = TableTraits()
        let columns = """
            SELECT a.attname::text, a.atttypid, a.atttypmod, a.attrelid, \(TableTraits.columns(lacks))
            FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
            WHERE a.attrelid = pg_catalog.to_regclass($1::text)
                AND a.attnum > 0 AND NOT a.attisdropped
            """
        func note(_ row: UnsafeBufferPointer<Slot>) {
            let name = Array(row[0].bytes)
            let type = ServerType(rawValue: UInt32(row[1].integer))
            types[name] = type
            modifiers[name] = row[2].integer
            // Four bytes of the server's own count in it.
            if type == .varyingCharacter || type == .paddedCharacter, row[2].integer >= 4 {
                lengths[name] = Int(row[2].integer) - 4
            }
            identifier = row[3].integer
            traits.mayIgnore = row[4].integer != 0
            traits.hasTriggers = row[5].integer != 0
            traits.hasDeleteActions = row[6].integer != 0
            traits.hasUpdateActions = row[7].integer != 0
            traits.isView = row[8].integer != 0
        }
        try using(.partitionTrees) { try each(columns, [quoted(sql.name)], note) }
        if types.isEmpty {
            // Another session made it after this transaction's snapshot was taken.
            state.noteRace()
            throw DBClientError(
                .transactionConflict,
                "Another session has just made the table.",
                entity: sql.entity.name
            )
        }
        let fields = try sql.entity.fields.indices.map { field in
            // Values go as those of a column of the library's own, and statements make of them what is stored.
            if sql.form(of: field).stored != "#" {
                return ServerType.ofNewColumn(for: sql.entity.fields[field].type)
            }
            guard let type = types[Array(sql.columnName(field).utf8)] else {
                throw DBClientError(
                    .schemaMismatch,
                    "The column is of a type that is not read here.",
                    entity: sql.entity.name,
                    field: sql.entity.fields[field].name
                )
            }
            return type
        }
        traits.lengths = sql.entity.fields.indices.map {
            lengths[Array(sql.columnName($0).utf8)] ?? sql.form(of: $0).maximumLength
        }
        let rounded = sql.entity.fields.indices.filter { sql.form(of: $0).rounding != nil }
            .map { sql.columnName($0) }
        if !rounded.isEmpty {
            traits.checkOfLimits = Self.checkOfLimits(
                of: rounded.map { ($0, modifiers[Array($0.utf8)] ?? -1) },
                identifier
            )
        }
        keepSpellings(of: sql)
        sql.identity = identity(of: sql, identifier, fields)
        return PostgreSQLTable(
            sql,
            fields,
            traits,
            isPartitioned: isPartitioned,
            isSharded: isSharded,
            self
        )
    }

    /// Has UUIDs that are kept as text, and are the key or unique by themselves, written as the row has them that has them
    /// already, in whatever case: then the server finds it by its index.
    private func keepSpellings(of sql: TableSQL) {
        guard !sql.forms.isEmpty else { return }
        let unique = sql.entity.indexes.filter(\.isUnique).map(\.fields) + [sql.entity.primaryKey]
        for field in Set(unique.filter { $0.count == 1 }.joined()) {
            keepSpelling(of: field, in: sql)
        }
    }

    private func keepSpelling(of field: Int, in sql: TableSQL) {
        let type = sql.entity.fields[field].type
        guard let form = UUIDText.Form(sql.forms[field], of: type) else { return }
        var column = SQLText(dialect)
        column.append(column: sql.entity.fields[field].name)
        let parts = dialect.parts(ofTable: sql.name)
        let names = (parts.schema.map { [$0] } ?? []) + [parts.name]
        let table = names.map { name in
            var text = SQLText(dialect)
            text.append(identifier: name)
            return UUIDText.escaped(text.sql)
        }
        sql.forms[field].stored = UUIDText.key(
            of: "#",
            in: table.joined(separator: "."),
            column: UUIDText.escaped(column.sql),
            like: form
        )
    }

    /// An index that the library can rely on.
    struct FoundIndex {
        var name: String
        var columns: [String]
        var isUnique: Bool
        var isPrimaryKey: Bool
        /// Whether it is that of a partitioned table, each of whose partitions has one of its own.
        var isPartitioned: Bool
        var identifier: Int64
    }

    /// Returns the names of the indexes that an index consists of.
    private func partitions(of index: FoundIndex) throws -> [String] {
        var names: [String] = []
        try each(
            """
            SELECT c.relname::text
            FROM pg_catalog.pg_partition_tree($1::text::oid::regclass) t
            JOIN pg_catalog.pg_class c ON c.oid = t.relid
            """,
            [String(index.identifier)]
        ) { names.append(text($0[0])) }
        return names
    }

    /// Returns the indexes over plain columns and every row, and those that the library made over
    /// shortened values, whose comment names their columns.
    private func indexes(of table: String) throws -> [FoundIndex] {
        var found: [FoundIndex] = []
        var shortened: Set<Int> = []
        try each(
            """
            SELECT i.relname::text, x.indisunique, x.indisprimary, a.attname::text,
                pg_catalog.obj_description(i.oid, 'pg_class'), i.relkind = 'I', i.oid
            FROM pg_catalog.pg_index x
            JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
            CROSS JOIN LATERAL pg_catalog.generate_series(0, x.indnkeyatts - 1) k
            LEFT JOIN pg_catalog.pg_attribute a
                ON a.attrelid = x.indrelid AND a.attnum = x.indkey[k] AND x.indkey[k] > 0
            WHERE x.indrelid = pg_catalog.to_regclass($1::text)
                AND x.indpred IS NULL AND x.indisvalid
            ORDER BY i.oid, k
            """,
            [quoted(table)]
        ) { row in
            let name = text(row[0])
            if found.last?.name != name {
                found.append(
                    FoundIndex(
                        name: name,
                        columns: [],
                        isUnique: row[1].integer != 0,
                        isPrimaryKey: row[2].integer != 0,
                        isPartitioned: row[5].integer != 0,
                        identifier: row[6].integer
                    )
                )
            }
            if let columns = row[4].isNull ? nil : PrefixIndex.columns(in: text(row[4])) {
                found[found.count - 1].columns = columns
            } else if row[3].isNull {
                // An index over an expression serves none of ours.
                shortened.insert(found.count - 1)
            } else {
                found[found.count - 1].columns.append(text(row[3]))
            }
        }
        return found.indices.filter { !shortened.contains($0) }.map { found[$0] }
    }

    /// Runs a query of the catalogue, which is not what a unit of work reads.
    func each(
        _ sql: String,
        _ parameters: [String],
        _ body: (UnsafeBufferPointer<Slot>) -> Void
    ) throws {
        let statement = try statement(sql, isKept: false)
        for (index, parameter) in parameters.enumerated() {
            try StorageValue.text(parameter).withSlot {
                try statement.parameters.set($0, at: index, copying: true)
            }
        }
        try statement.values(on: nil) { row in
            body(row)
            return true
        }
    }

    /// Returns the name of a table, or of what is beside one, as statements have it.
    func quoted(_ name: String) -> String {
        var text = SQLText(dialect)
        text.append(table: name)
        return text.sql
    }
}

/// The text of a slot.
func text(_ slot: Slot) -> String {
    String(decoding: slot.bytes, as: UTF8.self)
}
