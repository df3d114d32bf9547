public import DBClientCore

extension SQLTransaction: EngineWriter {
    /// Inserts the rows of a buffer.
    public func insert(_ rows: RowBuffer) throws {
        try insert(rows) { false }
    }

    /// Inserts the rows of a buffer, and again what a function fills it with.
    public func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        let table = try table(adding: rows.entity)
        if table.sql.hasGenerated {
            return try insertGenerating(rows, thenThoseOf: next, in: table)
        }
        guard table.sql.roundsValues else { return try table.insert(rows, thenThoseOf: next) }
        try round(rows, in: table)
        try table.insert(rows) {
            guard try next() else { return false }
            try round(rows, in: table)
            return true
        }
    }

    /// Writes fields of rows by their primary keys.
    public func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        let table = try table(writing: entity)
        if table.sql.hasGenerated {
            return try updateGenerating(rows, setting: columns, missing: missing, in: table)
        }
        try round(rows, columns, in: table)
        try table.update(rows, setting: columns, missing: missing)
    }

    /// Inserts or replaces rows by their primary keys.
    public func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        let table = try table(adding: rows.entity)
        if table.sql.hasGenerated { return try upsertGenerating(rows, outcome: outcome, in: table) }
        try round(rows, in: table)
        try table.upsert(rows, outcome: outcome)
    }

    /// Deletes the rows with these keys.
    public func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        let table = try table(writing: entity)
        return try namingDenial(of: entity) { try table.delete(keys) }
    }

    /// Writes some fields of the rows of a query.
    public func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        let table = try table(writing: query.entity)
        guard query.limit != 0 else { return 0 }
        try checkAssigned(assignments.columns, in: table)
        guard table.mayAssign(assignments.columns) else {
            return try updateByKeys(query, setting: assignments, computing: [])
        }
        try round(assignments.values, assignments.columns, in: table)
        try table.willWrite(assignments)
        let verb = QueryVerb.update(assignments.columns, computing: [])
        return try statement(verb, query, setting: assignments, table.sql).execute(on: query.entity)
    }

    /// Writes some fields of the rows of a query, others of which are computed: in one statement, unless the columns
    /// are declared otherwise than the library does, what is computed takes a function of the library that the database
    /// does not call, or a column that is computed is checked by the driver, has a format that rounds, or a unique index,
    /// for which the order of the rows matters.
    public func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation]
    ) throws -> Int {
        let table = try table(writing: query.entity)
        guard query.limit != 0 else { return 0 }
        guard mayCompute(computations, of: query.entity, in: table) else {
            return try updateByKeys(query, setting: assignments, computing: computations)
        }
        let columns = assignments?.columns ?? []
        try table.willWrite(
            assignments ?? RowAssignments(columns: [], values: roundedValues.batch)
        )
        let verb = QueryVerb.update(columns, computing: computations)
        return try statement(verb, query, setting: assignments, table.sql).execute(on: query.entity)
    }

    /// Whether one statement may compute fields of rows that are stored.
    func mayCompute(
        _ computations: [RowComputation],
        of entity: EntitySchema,
        in table: any SQLTable
    ) -> Bool {
        let computed = computations.map(\.column)
        let isUnique = entity.indexes.contains { index in
            index.isUnique && computed.contains(where: index.fields.contains)
        }
        let hasFormat = computed.contains { entity.fields[$0].form.format != nil }
        let isComputedHere =
            !hasLibraryFunctions && computations.contains { $0.expression.usesLibraryFunctions }
        return !isComputedHere && table.sql.forms.isEmpty && !table.sql.hasGenerated && !isUnique
            && !hasFormat
            && table.mayCompute(computed)
    }

    /// Deletes the rows of a query.
    public func delete(_ query: RowQuery) throws -> Int {
        let table = try table(writing: query.entity)
        guard query.limit != 0 else { return 0 }
        try table.willWrite(nil)
        let statement = try statement(.delete(), query, table.sql)
        return try namingDenial(of: query.entity) { try statement.execute(on: query.entity) }
    }

    /// Returns the table of an entity for new rows.
    func table(adding entity: EntitySchema) throws -> any SQLTable {
        let table = try table(writing: entity)
        if table.sql.errorOfNewRows == nil { return table }
        // Another program may have changed the table since it was looked at.
        tables.remove(entity)
        let current = try self.table(writing: entity)
        if let error = current.sql.errorOfNewRows { throw error }
        return current
    }

    /// Rounds the values of new rows to what the columns keep of them.
    func round(_ rows: RowBuffer, in table: any SQLTable) throws {
        guard table.sql.roundsValues else { return }
        let isChanged = try table.sql.round(rows.batch, table.sql.written, in: rows)
        if isChanged { rows.markRounded() }
    }

    /// Rounds values that are written to what the columns keep of them.
    func round(_ rows: RowBatch, _ columns: [Int], in table: any SQLTable) throws {
        guard table.sql.roundsValues else { return }
        roundedValues.removeAll()
        _ = try table.sql.round(rows, columns, in: roundedValues)
    }

    /// Whether a column of an entity's table rounds values, or has values that the database makes.
    public func keepsOtherValues(of entity: EntitySchema) throws -> Bool {
        let sql = try table(writing: entity).sql
        return sql.roundsValues || sql.hasGenerated
    }

    /// Whether a foreign key refers to the table of an entity.
    public func hasForeignKeys(to entity: EntitySchema) throws -> Bool {
        try connection.hasForeignKeys(
            to: dialect.tableName(of: entity),
            fromOthersAlone: false
        )
    }

    /// Runs a body in which the foreign keys that refer to some entities are deferred.
    public func deferringForeignKeys(
        to entities: [EntitySchema],
        _ body: () throws -> Void
    ) throws {
        try namingDenial(of: entities[0]) {
            try connection.deferringForeignKeys(
                to: entities.map { dialect.tableName(of: $0) },
                body
            )
        }
    }

    /// Throws when a foreign key is broken whose check waits for the commit.
    public func checkForeignKeys() throws {
        try connection.checkForeignKeys()
    }

    /// Returns which entities the database itself has written.
    public func takeUntrackedChanges() -> UntrackedChanges {
        var tables = connection.takeTablesWrittenUnseen()
        if !recomputedTables.isEmpty {
            tables.formUnion(recomputedTables)
            recomputedTables = []
        }
        if tables.isEmpty { return .none }
        // A reserved name is that of a table with an underscore before it.
        let reserved = tables.compactMap { table in
            let name = dialect.parts(ofTable: table).name
            return name.hasPrefix("_")
                ? dialect.name(String(name.dropFirst()), besideTable: table) : nil
        }
        return .entities(Set((tables + reserved).map { EntityName($0) }))
    }

    /// Runs a deletion, and says of a foreign key in its way that it denies it.
    func namingDenial<Value>(
        of entity: EntitySchema?,
        _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DBClientError
            where error.code == .danglingReference && error.engineCode != nil
        {
            throw error.denyingDeletion(of: entity)
        }
    }

    /// Whether the database has aborted the whole transaction.
    public var hasFailed: Bool { connection.hasLostTransaction }

    /// Opens a savepoint inside the innermost one.
    public func beginSavepoint() throws {
        try connection.checkTransaction()
        try connection.savepoint(.begin)
        tables.beginSavepoint()
        marksOfSavepoints.append(heldMark)
    }

    /// Keeps what was written since the innermost savepoint.
    public func releaseSavepoint() throws {
        try connection.savepoint(.release)
        tables.releaseSavepoint()
        didEndSavepoint()
    }

    /// Undoes what was written since the innermost savepoint.
    public func rollbackSavepoint() throws {
        let wasMade = tables.rollbackSavepoint()
        didEndSavepoint()
        try connection.savepoint(.rollback)
        if wasMade || mayChangeSchema {
            // What is known of the tables may be undone with their shapes.
            mayChangeSchema = true
            forgetSchema()
        }
        try checkSchema()
    }
}
