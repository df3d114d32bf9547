public import DBClientCore

extension SQLTransaction: EngineWriter {
    /// Inserts the rows of a buffer.
    public func insert(_ rows: RowBuffer) throws {
        try table(writing: rows.entity).insert(rows)
    }

    /// Inserts the rows of a buffer, and again what a function fills it with.
    public func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        try table(writing: rows.entity).insert(rows, thenThoseOf: next)
    }

    /// How many rows a buffer should have where many are inserted.
    public func rowsOfInsert(into entity: EntitySchema) -> Int? {
        connection.rowsOfInsert(into: entity)
    }

    /// Replaces rows by their primary keys.
    public func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        missing: (Int) throws -> Void
    ) throws {
        try table(writing: entity).update(rows, missing: missing)
    }

    /// Whether the database has a way to write some fields of many rows.
    public var updatesTogether: Bool { connection.updatesTogether }

    /// Whether an upsert takes one row after another.
    public var upsertsRowByRow: Bool { connection.upsertsRowByRow }

    /// Writes some fields of rows by their primary keys.
    public func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        try table(writing: entity).update(rows, setting: columns, missing: missing)
    }

    /// Inserts or replaces rows by their primary keys.
    public func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try table(writing: rows.entity).upsert(rows, outcome: outcome)
    }

    /// Deletes the rows with these keys.
    public func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        try table(writing: entity).delete(keys)
    }

    /// Writes some fields of the row with a key.
    public func update(
        _ entity: EntitySchema,
        key: RowBatch,
        setting assignments: RowAssignments
    ) throws -> Bool {
        try table(writing: entity).update(key: key, setting: assignments)
    }

    /// Writes some fields of the rows of a query.
    public func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        let table = try table(writing: query.entity)
        guard query.limit != 0 else { return 0 }
        return try statement(.update(assignments.columns), query, setting: assignments, table)
            .execute(on: query.entity)
    }

    /// Deletes the rows of a query.
    public func delete(_ query: RowQuery) throws -> Int {
        let table = try table(writing: query.entity)
        guard query.limit != 0 else { return 0 }
        return try statement(.delete, query, table).execute(on: query.entity)
    }

    /// Whether the database gave the whole transaction up.
    public var hasFailed: Bool { connection.hasLostTransaction }

    /// Opens a savepoint.
    public func beginSavepoint() throws {
        try connection.checkTransaction()
        try connection.beginSavepoint()
        tables.beginSavepoint()
    }

    /// Keeps what was written since the innermost savepoint.
    public func releaseSavepoint() throws {
        try connection.releaseSavepoint()
        tables.releaseSavepoint()
    }

    /// Undoes what was written since the innermost savepoint.
    public func rollbackSavepoint() throws {
        let wasMade = tables.rollbackSavepoint()
        try connection.rollbackSavepoint()
        if wasMade || mayChangeSchema {
            // What is known of the tables may be undone with their shapes.
            mayChangeSchema = true
            forgetSchema()
        }
        try checkSchema()
    }
}
