/// A writer that forwards every call to another; an adopter implements only what it does differently.
protocol ForwardingWriter: ForwardingReader, EngineWriter {
    /// The writer that does the work.
    var base: any EngineWriter { get }
}

extension ForwardingWriter {
    var source: any EngineReader { base }
    var hasFailed: Bool { base.hasFailed }

    func insert(_ rows: RowBuffer) throws {
        try base.insert(rows)
    }

    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        try base.update(rows, of: entity, setting: columns, missing: missing)
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try base.upsert(rows, outcome: outcome)
    }

    func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try base.insertAbsent(rows, outcome: outcome)
    }

    func upsert(_ rows: RowBuffer, by columns: [Int], outcome: (Int, Bool) -> Void) throws {
        try base.upsert(rows, by: columns, outcome: outcome)
    }

    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws {
        try base.update(query, setting: assignments, computing: computations, returning: rows)
    }

    func delete(_ query: RowQuery, returning rows: RowBuffer) throws {
        try base.delete(query, returning: rows)
    }

    func insert(_ insertion: RowInsertion) throws -> Int {
        try base.insert(insertion)
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        try base.delete(entity, keys: keys)
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        try base.update(query, setting: assignments)
    }

    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation]
    ) throws -> Int {
        try base.update(query, setting: assignments, computing: computations)
    }

    func delete(_ query: RowQuery) throws -> Int {
        try base.delete(query)
    }

    func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws {
        try base.reshape(entity, change)
    }

    func drop(_ entity: EntitySchema) throws {
        try base.drop(entity)
    }

    func replace(_ former: EntitySchema, with entity: EntitySchema) throws {
        try base.replace(former, with: entity)
    }

    func mayKeep(_ entity: EntitySchema) throws -> Bool {
        try base.mayKeep(entity)
    }

    func setViewMark(_ mark: String?, of entity: EntitySchema) throws {
        try base.setViewMark(mark, of: entity)
    }

    func reserve(_ entities: [EntitySchema]) throws {
        try base.reserve(entities)
    }

    func keepsOtherValues(of entity: EntitySchema) throws -> Bool {
        try base.keepsOtherValues(of: entity)
    }

    func hasForeignKeys(to entity: EntitySchema) throws -> Bool {
        try base.hasForeignKeys(to: entity)
    }

    func deferringForeignKeys(to entities: [EntitySchema], _ body: () throws -> Void) throws {
        try base.deferringForeignKeys(to: entities, body)
    }

    func checkForeignKeys() throws {
        try base.checkForeignKeys()
    }

    func mayKeepLinksOfDeleted(_ links: EntitySchema) throws -> Bool {
        try base.mayKeepLinksOfDeleted(links)
    }

    func takeUntrackedChanges() -> UntrackedChanges {
        base.takeUntrackedChanges()
    }

    func beginSavepoint() throws {
        try base.beginSavepoint()
    }

    func releaseSavepoint() throws {
        try base.releaseSavepoint()
    }

    func rollbackSavepoint() throws {
        try base.rollbackSavepoint()
    }
}
