/// A reader that hides that it could write.
final class ReadingOnly: EngineReader {
    private let base: any EngineReader

    init(_ base: any EngineReader) {
        self.base = base
    }

    var buffers: RowBuffers { base.buffers }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        try base.get(entity, keys: keys, visit)
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
}
