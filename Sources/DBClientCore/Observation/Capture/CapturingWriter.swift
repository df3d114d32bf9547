/// A writer that writes down what it does to the entities that are watched.
///
/// What a write replaces is read through the engine's own verbs, before the write and in the same
/// transaction; what it leaves is known from the call. An entity that nobody watches goes straight to
/// the engine.
final class CapturingWriter: EngineWriter {
    let base: any EngineWriter
    let recorder: CommitRecorder
    private var keyBuffer: RowBuffer?

    init(_ base: any EngineWriter, _ recorder: CommitRecorder) {
        self.base = base
        self.recorder = recorder
    }

    var buffers: RowBuffers { base.buffers }
    var hasFailed: Bool { base.hasFailed }

    // MARK: Reading

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        try base.get(entity, keys: keys, visit)
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        try base.lookUp(entity, keys: keys, visit)
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try base.scan(query, visit)
    }

    func count(_ query: RowQuery) throws -> Int {
        try base.count(query)
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        of query: RowQuery
    ) throws -> StorageValue {
        try base.aggregate(function, column: column, of: query)
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        try base.aggregate(function, column: column, through: path, of: query)
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        try base.distinct(column: column, of: query, visit)
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try base.select(columns, of: query, visit)
    }

    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        try base.group(grouping, visit)
    }

    func explain(_ query: RowQuery) throws -> String {
        try base.explain(query)
    }

    // MARK: Savepoints

    func beginSavepoint() throws {
        try base.beginSavepoint()
        recorder.beginSavepoint()
    }

    func releaseSavepoint() throws {
        try base.releaseSavepoint()
        recorder.releaseSavepoint()
    }

    func rollbackSavepoint() throws {
        try base.rollbackSavepoint()
        recorder.rollbackSavepoint()
    }

    // MARK: What is replaced

    /// Returns a buffer with the keys of rows, in their order; a row without a key has none.
    func keys(of rows: RowBatch, _ entity: EntitySchema) throws -> (keys: RowBuffer, rows: [Int]) {
        let buffer: RowBuffer
        if let keyBuffer, keyBuffer.entity === entity {
            buffer = keyBuffer
            buffer.removeAll()
        } else {
            buffer = RowBuffer(entity, columns: entity.primaryKey)
            keyBuffer = buffer
        }
        var positions: [Int] = []
        positions.reserveCapacity(rows.count)
        for row in 0..<rows.count where !rows[row, entity.primaryKey[0]].isNull {
            var key = try buffer.beginRow()
            // The rows outlive the call, so their bytes are borrowed.
            for column in entity.primaryKey { try key.put(rows[row, column]) }
            try buffer.endRow(key)
            positions.append(row)
        }
        return (buffer, positions)
    }

    /// Copies the stored rows with the keys of `rows`; -1 for those that are not stored.
    func befores(_ rows: RowBatch, _ entity: EntitySchema, _ log: RowLog) throws -> [Int32] {
        var befores = [Int32](repeating: -1, count: rows.count)
        let (keys, positions) = try keys(of: rows, entity)
        guard keys.count > 0 else { return befores }
        try base.get(entity, keys: keys.batch) { position, row in
            befores[positions[position]] = log.copy(row, row: 0)
        }
        return befores
    }

    /// Copies the stored rows with some keys.
    func befores(keys: RowBatch, _ entity: EntitySchema, _ log: RowLog) throws -> [Int32] {
        var befores = [Int32](repeating: -1, count: keys.count)
        try base.get(entity, keys: keys) { position, row in
            befores[position] = log.copy(row, row: 0)
        }
        return befores
    }

    /// Copies the rows of a query.
    func befores(_ query: RowQuery, _ log: RowLog) throws -> [Int32] {
        var befores: [Int32] = []
        try base.scan(query) { batch in
            for row in 0..<batch.count { befores.append(log.copy(batch, row: row)) }
            return true
        }
        return befores
    }
}
