// What an engine need not implement to write.
extension EngineWriter {
    /// False, which is the default: an error does not end the transaction.
    public var hasFailed: Bool { false }

    /// Looks the keys up, then updates the rows that exist and inserts the others, in their order.
    public func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        let entity = rows.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        // The row of each key that is given.
        var given: [Int] = []
        for row in 0..<rows.count where !rows.batch[row, entity.primaryKey[0]].isNull {
            keys.append { rows.batch[row, entity.primaryKey[$0]] }
            given.append(row)
        }
        var isNew = [Bool](repeating: true, count: rows.count)
        try keys.withBatch { keys in
            try get(entity, keys: keys) { position, _ in isNew[given[position]] = false }
        }
        try write(rows, inserting: isNew)
        for row in isNew.indices { outcome(row, isNew[row]) }
    }

    /// Visits the rows, and writes them by their keys.
    public func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        let entity = query.entity
        let rows = RowBuffer(entity)
        try scan(query) { batch in
            rows.append(copying: batch)
            return true
        }
        for row in 0..<rows.count {
            for column in assignments.columns {
                rows.replace(row: row, column: column, with: assignments.values[0, column])
            }
        }
        if rows.count == 0 { return 0 }
        try rows.withBatch { try update($0, of: entity, setting: assignments.columns) { _ in } }
        return rows.count
    }

    /// Visits the rows, and deletes them by their keys.
    public func delete(_ query: RowQuery) throws -> Int {
        let entity = query.entity
        let keys = RowBuffer(entity, columns: entity.primaryKey)
        try scan(query) { batch in
            for row in 0..<batch.count {
                keys.append { keys.copied(batch[row, entity.primaryKey[$0]]) }
            }
            return true
        }
        return keys.count == 0 ? 0 : try keys.withBatch { try delete(entity, keys: $0) }
    }

    /// True, which is the default: rows of any entity can be written.
    public func mayKeep(_ entity: EntitySchema) throws -> Bool { true }

    /// Throws `.unsupported`, which is the default: the engine has no migrations.
    public func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws {
        throw EntitySchema.noMigrations
    }

    /// Throws `.unsupported`, which is the default: the engine has no migrations.
    public func drop(_ entity: EntitySchema) throws {
        throw EntitySchema.noMigrations
    }

    /// Throws `.unsupported`, which is the default: the engine has no migrations.
    public func replace(_ former: EntitySchema, with entity: EntitySchema) throws {
        throw EntitySchema.noMigrations
    }

    /// Throws `.unsupported`, which is the default: nothing keeps other writers from the rows.
    public func setViewMark(_ mark: String?, of entity: EntitySchema) throws {
        throw DBClientError(
            .unsupported,
            "The engine must be able to refuse other writers to keep stored views; it is not.",
            entity: entity.name
        )
    }

    /// Does nothing, which is the default: one transaction writes at a time.
    public func reserve(_ entities: [EntitySchema]) throws {}

    /// False, which is the default: what is written is what is stored.
    public func keepsOtherValues(of entity: EntitySchema) throws -> Bool { false }

    /// False, which is the default: the store has no foreign keys of its own.
    public func hasForeignKeys(to entity: EntitySchema) throws -> Bool { false }

    /// Runs the body alone, which is the default: there are no foreign keys to defer.
    public func deferringForeignKeys(
        to entities: [EntitySchema],
        _ body: () throws -> Void
    ) throws {
        try body()
    }

    /// Does nothing, which is the default: a unit has a commit of its own.
    public func checkForeignKeys() throws {}

    /// False, which is the default: no program deletes owners without their links.
    public func mayKeepLinksOfDeleted(_ links: EntitySchema) throws -> Bool { false }

    /// Returns `.none`, which is the default: the store writes nothing by itself.
    public func takeUntrackedChanges() -> UntrackedChanges { .none }

    /// Inserts the rows buffer by buffer, which is the default.
    public func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        repeat { try insert(rows) } while try next()
    }
}
