/// The part of a result that handles models, so that the rest of it works on rows alone.
protocol EntryCoder: Sendable {
    /// Reads the rows of a query.
    func entries(
        of query: RowQuery,
        _ keys: OrderKeyEncoder,
        in reader: any EngineReader
    ) throws -> [ResultEntry]

    /// Makes an entry of a row.
    func entry(_ key: OrderKey, _ row: RowBatch) throws -> ResultEntry

    /// Returns a judge of whether two entries of one row have the same value.
    func makeComparison() -> any EntryComparison
}

/// Judges whether two entries of one row have the same stored value.
protocol EntryComparison {
    func isSame(_ left: ResultEntry, _ right: ResultEntry) -> Bool
}

/// Makes entries that hold a decoded model, for results of whole values.
struct ModelCoder<Model: Stored>: EntryCoder {
    func entries(
        of query: RowQuery,
        _ keys: OrderKeyEncoder,
        in reader: any EngineReader
    ) throws -> [ResultEntry] {
        var entries: [ResultEntry] = []
        var models: [Model] = []
        try reader.scan(query) { batch in
            if batch.expectedCount > 0 && entries.isEmpty {
                entries.reserveCapacity(batch.expectedCount)
            }
            if batch.count == 1 {
                entries.append(try entry(keys.key(of: batch), batch))
                return true
            }
            models.removeAll(keepingCapacity: true)
            try Model.decode(batch, appendingTo: &models)
            for row in 0..<batch.count {
                entries.append(ModelEntry(keys.key(of: batch, row: row), models[row]))
            }
            return true
        }
        return entries
    }

    func entry(_ key: OrderKey, _ row: RowBatch) throws -> ResultEntry {
        var reader = row.reader(at: 0)
        return ModelEntry(key, try Model(row: &reader))
    }

    func makeComparison() -> any EntryComparison { ModelComparison<Model>() }
}

/// Compares what models write, field by field and byte by byte, in all fields or in some.
final class ModelComparison<Model: Stored>: EntryComparison {
    private let left = RowBuffer(Model.schema.entity)
    private let right = RowBuffer(Model.schema.entity)
    private let columns: [Int]
    private let areAll: Bool

    init(columns: [Int]? = nil) {
        self.columns = columns ?? Array(Model.schema.entity.fields.indices)
        areAll = columns == nil
    }

    func isSame(_ first: ResultEntry, _ second: ResultEntry) -> Bool {
        // What stands elsewhere has another value in a field by which it is sorted.
        if areAll, first.key != second.key { return false }
        do {
            try write(first, to: left)
            try write(second, to: right)
        } catch {
            // A value that reads but does not write is told as changed once too often.
            return false
        }
        return columns.allSatisfy {
            Slot.compare(left.batch[0, $0], right.batch[0, $0]) == 0
        }
    }

    private func write(_ entry: ResultEntry, to buffer: RowBuffer) throws {
        buffer.removeAll()
        var row = try buffer.beginRow()
        try unsafeDowncast(entry, to: ModelEntry<Model>.self).model.write(to: &row)
        try buffer.endRow(row)
    }
}
