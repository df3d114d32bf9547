/// A writer whose calls go through an interceptor, for what writes rows without a model: stored names.
final class InterceptedWriter: ForwardingWriter, InterceptedRows {
    let base: any EngineWriter
    let interceptor: any TransactionInterceptor

    init(_ base: any EngineWriter, _ interceptor: any TransactionInterceptor) {
        self.base = base
        self.interceptor = interceptor
    }

    func insert(_ rows: RowBuffer) throws {
        try on(rows.entity, .insert, rows.count) { try base.insert(rows) }
    }

    func update(_ rows: RowBatch, of entity: EntitySchema, missing: (Int) throws -> Void) throws {
        try on(entity, .update, rows.count) {
            try base.update(rows, of: entity, missing: missing)
        }
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try on(rows.entity, .upsert, rows.count) { try base.upsert(rows, outcome: outcome) }
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        try on(entity, .delete, keys.count) { try base.delete(entity, keys: keys) }
    }

    func update(
        _ entity: EntitySchema,
        key: RowBatch,
        setting assignments: RowAssignments
    ) throws -> Bool {
        try on(entity, .assign, 1) { try base.update(entity, key: key, setting: assignments) }
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        try interceptor.intercept(.on(query, .assignMatching)) {
            try base.update(query, setting: assignments)
        }
    }

    func delete(_ query: RowQuery) throws -> Int {
        try interceptor.intercept(.on(query, .deleteMatching)) { try base.delete(query) }
    }

    private func on<Value>(
        _ entity: EntitySchema,
        _ kind: TransactionCall.Kind,
        _ count: Int,
        _ body: () throws -> Value
    ) throws -> Value {
        let call = TransactionCall(kind, entity: entity.name, givenCount: count)
        return try interceptor.intercept(call, body)
    }
}
