import DBClientCore
import DBClientSQL

extension SQLiteConnection {
    func describe(_ table: String) throws -> SQLTableDescription? {
        try checkName(table)
        var columns: [SQLTableDescription.Column] = []
        var keys: [(rank: Int64, name: String)] = []
        var notes: ColumnNotes?
        try each("SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'", [table]) {
            row in
            notes = ColumnNotes(row[0].bytes)
        }
        try each(
            """
            SELECT name, type, "notnull", dflt_value IS NOT NULL, pk, hidden
            FROM pragma_table_xinfo(?)
            """,
            [table]
        ) { row in
            let name = String(decoding: row[0].bytes, as: UTF8.self)
            let rank = row[4].integer
            if rank > 0 { keys.append((rank, name)) }
            var column = SQLTableDescription.Column(
                name: name,
                type: String(decoding: row[1].bytes, as: UTF8.self),
                isRequired: row[2].integer != 0,
                // A generated column, and a rowid under its alias, need no value either.
                hasDefault: row[3].integer != 0 || row[5].integer != 0 || rank > 0,
                collation: handle.comparesBytes(name, of: table) ? .bytes : .ofOwnEquality,
                written: notes?[name]
            )
            // Those of a virtual table that are hidden have 1.
            if row[5].integer > 1 { column.generation = .expression }
            columns.append(column)
        }
        if columns.isEmpty { return nil }
        keys.sort { $0.rank < $1.rank }
        var description = SQLTableDescription(
            columns: columns,
            primaryKey: keys.map(\.name),
            indexes: try indexes(of: table)
        )
        description.generatesKeys = keys.count == 1 && handle.makesKeys(keys[0].name, of: table)
        return description
    }

    func form(
        ofValuesIn column: SQLTableDescription.Column,
        of table: String
    ) throws -> FieldForm? {
        try ValueForms(connection: self, table: table, column: column.name)
            .form(ofDeclared: column.type)
    }

    func tables() throws -> [String] {
        var names: [String] = []
        // The tables behind a virtual one are SQLite's own.
        try each(
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'view', 'virtual')
                AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
            ORDER BY name
            """,
            []
        ) { names.append(String(decoding: $0[0].bytes, as: UTF8.self)) }
        return names
    }

    /// Throws when the table is there under a name that differs in case, which SQLite takes for the same.
    private func checkName(_ table: String) throws {
        var other: String?
        try each(
            """
            SELECT name FROM sqlite_schema
            WHERE name = ? COLLATE NOCASE AND name <> ? AND type IN ('table', 'view')
            """,
            [table, table]
        ) { row in
            other = String(decoding: row[0].bytes, as: UTF8.self)
        }
        if let other { throw EntitySchema.nameTaken(table, as: other) }
    }

    func literal(_ value: Slot, of field: FieldSchema) throws -> String {
        let statement = try SQLiteStatement(handle, "SELECT quote(?)")
        if let format = sqlite.format(of: field) {
            try (format.stored(value) ?? .null).withSlot {
                try statement.bind($0, at: 1, copying: true)
            }
        } else {
            try statement.bind([value])
        }
        var literal = ""
        try statement.values(on: nil) { row in
            literal = String(decoding: row[0].bytes, as: UTF8.self)
            return false
        }
        return literal
    }

    func note(_ event: SQLSchemaEvent) throws {
        switch event {
        case .willAlter: isMigrating = true
        // A trigger that names a table which is gone would fail.
        case .willDrop(let table):
            try run("DROP TRIGGER IF EXISTS ", SQLiteEffects.linkTrigger + table)
        case .didCreate, .didLeaveOutIndexes: break
        }
    }

    /// Whether the transaction migrates, or the table has few rows.
    ///
    /// Other writers, of every process, wait until an index is built: SQLite has one writer at a time, and cannot
    /// build beside it.
    func buildsIndexes(of table: String) throws -> Bool {
        if isMigrating { return true }
        var text = SQLText(dialect)
        text.append("SELECT 1 FROM ")
        text.append(identifier: table)
        text.append(" LIMIT 1 OFFSET \(Self.rowsOfIndex)")
        var isLarge = false
        try SQLiteStatement(handle, text.sql).values(on: nil) { _ in
            isLarge = true
            return false
        }
        return !isLarge
    }

    /// How many rows a table has at most whose indexes a write builds: some milliseconds.
    private static let rowsOfIndex = 10_000

    func isNameTaken(_ name: String) throws -> Bool {
        var isTaken = false
        try each("SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [name]) { _ in
            isTaken = true
        }
        return isTaken
    }

    func table(_ sql: TableSQL) throws -> any SQLTable {
        for form in sql.forms {
            guard case .format(let format) = form.rounding else { continue }
            try register(format)
        }
        let makesKeys = try !sql.entity.needsKeysOfStore || isRowID(sql)
        return SQLiteTable(sql, handle, effects, makesKeys: makesKeys)
    }

    /// Whether the one key of a table is its rowid: any other that is left out is null, even of a primary key.
    private func isRowID(_ sql: TableSQL) throws -> Bool {
        var isFound = false
        // The key has an index unless it is the rowid.
        try each(
            """
            SELECT 1 FROM pragma_table_xinfo(?1)
            WHERE pk = 1 AND name = ?2 COLLATE NOCASE
                AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')
            """,
            [sql.name, sql.columnName(sql.entity.primaryKey[0])]
        ) { _ in isFound = true }
        return isFound
    }

    private func indexes(of table: String) throws -> [SQLTableDescription.Index] {
        var found: [SQLTableDescription.Index] = []
        var isPlain = true
        // An index over an expression has a column without a name, and serves none of ours; nor does
        // one that compares text in another way.
        try each(
            """
            SELECT list.name, list."unique", info.name, info.coll = 'BINARY'
            FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS info
            WHERE list.partial = 0 AND info.key = 1 ORDER BY list.seq, info.seqno
            """,
            [table]
        ) { row in
            let name = String(decoding: row[0].bytes, as: UTF8.self)
            if found.last?.name != name {
                if !isPlain { found.removeLast() }
                isPlain = true
                found.append(
                    SQLTableDescription.Index(
                        name: name,
                        columns: [],
                        isUnique: row[1].integer != 0
                    )
                )
            }
            if row[2].isNull || row[3].integer == 0 { isPlain = false }
            found[found.count - 1].columns.append(String(decoding: row[2].bytes, as: UTF8.self))
        }
        if !isPlain { found.removeLast() }
        return found
    }

    /// Runs a query of the schema.
    func each(
        _ sql: String,
        _ parameters: [String],
        _ body: (UnsafeBufferPointer<Slot>) -> Void
    ) throws {
        let statement = try schemaQueries[sql] ?? SQLiteStatement(handle, sql)
        schemaQueries[sql] = statement
        for (index, parameter) in parameters.enumerated() {
            try StorageValue.text(parameter).withSlot {
                try statement.bind($0, at: Int32(index + 1), copying: true)
            }
        }
        try statement.values(on: nil) { row in
            body(row)
            return true
        }
    }
}

extension EntitySchema {
    /// Whether the store makes the keys, not the client.
    fileprivate var needsKeysOfStore: Bool { keyGeneration == .generated && integerKey != nil }
}
