/// A writer that writes down what it does to the entities that are watched.
///
/// What a write replaces is read through the engine's own verbs, before the write and in the same
/// transaction; what it leaves is known from the call. A write to an entity without observers goes straight
/// to the engine.
final class CapturingWriter: ForwardingWriter {
    let base: any EngineWriter
    let recorder: CommitRecorder
    private var keyBuffer: RowBuffer?

    init(_ base: any EngineWriter, _ recorder: CommitRecorder) {
        self.base = base
        self.recorder = recorder
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
        defer { withExtendedLifetime(keys) {} }
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

/// The state that the earlier rows of one call left, where a key may occur twice: that is what the later ones
/// replace.
struct WrittenKeys {
    private let key: KeyColumns
    private var keys: KeyTable
    /// The copy of the last row with each key.
    private var copies: [Int32] = []

    init(_ entity: EntitySchema) {
        key = KeyColumns(entity.primaryKey)
        keys = KeyTable(entity)
    }

    /// Notes the copy of a row and returns that of the row before with its key, if there was one.
    mutating func note(_ rows: RowBatch, row: Int, _ copy: Int32) -> Int32? {
        let slots = key.key(of: rows.slots + row * rows.columnCount)
        let position = Int(keys.insert(slots))
        guard position < copies.count else {
            copies.append(copy)
            return nil
        }
        defer { copies[position] = copy }
        return copies[position]
    }
}
