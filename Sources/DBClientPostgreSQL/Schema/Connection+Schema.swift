import DBClientCore
import DBClientSQL

extension PostgreSQLConnection {
    func describe(_ table: String) throws -> SQLTableDescription? {
        try findWhole(table)
        foundTable = nil
        guard let found = try find(table) else {
            try checkSchemas(of: table)
            try checkName(table)
            // It is made where the name says.
            note(table, at: place(of: table))
            return nil
        }
        foundTable = found
        note(table, at: place(of: found))
        if found.kind.isDerived { try noteSources(of: found) }
        var columns = found.columns.map(\.description)
        try describeCollations(of: found, in: &columns)
        try describeTypes(of: found, in: &columns)
        var description = SQLTableDescription(columns: columns, primaryKey: [], indexes: [])
        description.comment = found.comment
        description.isMaterialisedView = found.kind == .materialisedView
        for index in found.indexes {
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
        guard let found = try foundTable.take(of: sql.name) ?? find(sql.name) else {
            // Another session made it after this transaction's snapshot was taken.
            state.noteRace()
            throw DBClientError(
                .transactionConflict,
                "Another session has just made the table.",
                entity: sql.entity.name
            )
        }
        var isPartitioned = false
        for index in found.indexes where index.isUnique {
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
        var columns: [[UInt8]: FoundTable.Column] = [:]
        for column in found.columns { columns[Array(column.description.name.utf8)] = column }
        func column(_ field: Int) -> FoundTable.Column? {
            columns[Array(sql.columnName(field).utf8)]
        }
        var traits = try traits(of: found)
        let fields = try sql.entity.fields.indices.map { field in
            // Values go as those of a column of the library's own, and statements make of them what is stored.
            if sql.form(of: field).stored != "#" {
                return ServerType.ofNewColumn(for: sql.entity.fields[field].type)
            }
            guard let type = column(field)?.type else {
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
            column($0)?.maximumLength ?? sql.form(of: $0).maximumLength
        }
        let rounded = sql.entity.fields.indices.filter { sql.form(of: $0).rounding != nil }
        if !rounded.isEmpty {
            traits.checksOfLimits = try checksOfLimits(
                of: rounded.map { (sql.columnName($0), column($0)?.modifier ?? -1) },
                in: found
            )
        }
        traits.checkOfTypes = checkOfTypes(of: sql, in: found)
        keepSpellings(of: sql)
        sql.identity = identity(of: sql, found, fields, try collationTests(of: sql, in: found))
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

    /// Returns the names of the indexes that an index consists of.
    private func partitions(of index: FoundTable.Index) throws -> [String] {
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

    /// Returns the name of a table, or of what is beside one, as statements have it.
    func quoted(_ name: String) -> String {
        var text = SQLText(dialect)
        text.append(table: name)
        return text.sql
    }
}

/// Returns the text of a slot, whose bytes are UTF-8.
func text(_ slot: Slot) -> String {
    String(decoding: slot.bytes, as: UTF8.self)
}
