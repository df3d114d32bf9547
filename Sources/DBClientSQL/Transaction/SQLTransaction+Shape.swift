public import DBClientCore

// Tables are changed by the database's own means, so that what other programs made of them stays.
extension SQLTransaction {
    /// Compares a table with a model; nil when there is none.
    public func difference(from entity: EntitySchema) throws -> ShapeDifference? {
        try readSchema()
        let sql = TableSQL(entity, dialect)
        guard let found = try connection.describe(sql.name) else { return nil }
        return try SQLTableComparison(found, sql).difference()
    }

    /// Changes a table so that the entity fits.
    public func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws {
        try connection.checkTransaction()
        let sql = TableSQL(entity, dialect)
        guard let found = try connection.describe(sql.name) else { return }
        try connection.note(.willAlter)
        let statements = try alterations(of: sql, found, change)
        // Indexes alone leave the table as it is, without a lock that a session which builds one would keep.
        if !statements.isEmpty {
            // The values that views are kept from stay what they are.
            let mark = try connection.viewMark(of: sql.name)
            if mark != nil { try connection.setViewMark(nil, of: sql.name) }
            try alter(entity, statements + sql.note(after: change, of: found))
            if let mark { try connection.setViewMark(mark, of: sql.name) }
        }
        try completeAltered(entity)
    }

    /// Returns the statements of a change, with those of the indexes that the table lacks.
    public func statements(of change: ShapeChange, to entity: EntitySchema) throws -> [String] {
        try enterCall(isOne: false)
        let sql = TableSQL(entity, dialect)
        guard let found = try connection.describe(sql.name) else { return [] }
        let statements = try alterations(of: sql, found, change)
        let notes = statements.isEmpty ? [] : sql.note(after: change, of: found)
        return try statements + notes
            + found.missingIndexes(of: sql).map {
                sql.createIndex($0, named: try indexName($0, sql))
            }
    }

    /// Returns the statements that change the columns of a table.
    private func alterations(
        of sql: TableSQL,
        _ found: SQLTableDescription,
        _ change: ShapeChange
    ) throws -> [String] {
        let entity = sql.entity
        func indexes(of column: String) -> [String] {
            let wanted = sql.dialect.comparable(column)
            return found.indexes.filter {
                $0.columns.contains { sql.dialect.comparable($0) == wanted }
            }
            .map(\.name)
        }
        let added = change.added.columns
        var statements: [String] = []
        for name in change.removed {
            statements += dialect.statements(
                for: .dropColumn(name, indexes: indexes(of: name)),
                of: sql.name
            )
        }
        for field in change.relaxed {
            statements += dialect.statements(
                for: .relaxColumn(
                    entity.fields[field],
                    indexes: indexes(of: sql.columnName(field))
                ),
                of: sql.name
            )
        }
        for field in added {
            let value = change.added.values[0, field]
            let literal =
                value.isNull ? nil : try connection.literal(value, of: entity.fields[field])
            statements += dialect.statements(
                for: .addColumn(entity.fields[field], beginningWith: literal),
                of: sql.name
            )
        }
        return statements
    }

    /// Locks the existing tables, where other sessions may write to them meanwhile.
    public func reserve(_ entities: [EntitySchema]) throws {
        try connection.checkTransaction()
        let tables = entities.map { dialect.tableName(of: $0) }
        try connection.lock(try tables.filter(connection.isNameTaken))
    }

    /// Whether the connection's role may write to the table, or make it.
    public func mayKeep(_ entity: EntitySchema) throws -> Bool {
        try connection.mayWrite(dialect.tableName(of: entity))
    }

    /// Drops a table, if it is there.
    public func drop(_ entity: EntitySchema) throws {
        try connection.checkTransaction()
        let table = dialect.tableName(of: entity)
        if try connection.hasForeignKeys(to: table, fromOthersAlone: true) {
            throw DBClientError(
                .deletionDenied,
                "A foreign key of another table refers to the table that would be dropped.",
                entity: entity.name,
                hint: "Drop the foreign key first, or change the table with SQL."
            )
        }
        try connection.note(.willAlter)
        if try connection.viewMark(of: table) != nil {
            try connection.setViewMark(nil, of: table)
        }
        try connection.note(.willDrop(table: table))
        var text = SQLText(dialect)
        text.append("DROP TABLE IF EXISTS ")
        text.append(table: table)
        try alter(entity, [text.sql])
    }

    /// Drops a table and makes another under its name, whose keys come after every one of it.
    public func replace(_ former: EntitySchema, with entity: EntitySchema) throws {
        try connection.checkTransaction()
        let lastKey = try table(reading: former)?.lastKey()
        try drop(former)
        let table = try table(writing: entity)
        if let lastKey { try table.skipKeys(through: lastKey) }
    }

    /// Runs statements that change tables, and forgets what is known of them.
    private func alter(_ entity: EntitySchema, _ statements: [String]) throws {
        if statements.isEmpty { return }
        forgetSchema()
        mayChangeSchema = true
        for statement in statements { try run(statement, on: entity) }
    }
}

extension TableSQL {
    /// Returns the statements that note what the columns of a table are after a change: those that were created or
    /// redeclared, and, as before, the remaining ones of the library.
    fileprivate func note(after change: ShapeChange, of found: SQLTableDescription) -> [String] {
        let removed = Set(change.removed.map(dialect.comparable))
        let made: [(name: String, field: WrittenField)] = (change.added.columns + change.relaxed)
            .map { field in
                (columnName(field), WrittenField(entity.fields[field]))
            }
        let names = Set(made.map { dialect.comparable($0.name) })
        let left = found.columns.compactMap { column -> (name: String, field: WrittenField)? in
            let name = dialect.comparable(column.name)
            if removed.contains(name) || names.contains(name) { return nil }
            return column.written.map { (column.name, $0) }
        }
        return dialect.statements(for: .note(left + made, beside: found.comment), of: name)
    }
}
