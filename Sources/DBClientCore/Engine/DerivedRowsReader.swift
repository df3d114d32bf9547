/// Reads rows that are made of those of single entities, of an engine that has no others.
///
/// A subclass makes the rows of the queries that it is for, and leaves the rest to the engine.
class DerivedRowsReader: EngineReader {
    final let reader: any EngineReader

    init(_ reader: any EngineReader) {
        self.reader = reader
    }

    final var buffers: RowBuffers { reader.buffers }
    final var usage: ModelUsage? { reader.usage }

    final func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        try reader.get(entity, keys: keys, visit)
    }

    final func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        try reader.lookUp(entity, keys: keys, visit)
    }

    final func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try select(Array(query.entity.fields.indices), of: query, visit)
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try reader.select(columns, of: query, visit)
    }

    // What a subclass computes otherwise must be a method here: the default of a protocol's extension is not overridden.
    func canGroup(_ grouping: RowGrouping) throws -> Bool { false }

    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        try groupSelectedRows(grouping, visit)
    }

    final func count(_ query: RowQuery) throws -> Int {
        var count = 0
        try select([], of: query) {
            count += $0.count
            return true
        }
        return count
    }

    final func rowCount(of entity: EntitySchema) throws -> Int? { try reader.rowCount(of: entity) }

    func explain(_ query: RowQuery) throws -> String { try reader.explain(query) }
}
