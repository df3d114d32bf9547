/// Reads joined rows of an engine that has rows of single entities alone.
final class JoiningReader: EngineReader {
    private let reader: any EngineReader

    init(_ reader: any EngineReader) {
        self.reader = reader
    }

    var buffers: RowBuffers { reader.buffers }
    var usage: ModelUsage? { reader.usage }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        try reader.get(entity, keys: keys, visit)
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        try reader.lookUp(entity, keys: keys, visit)
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try select(Array(query.entity.fields.indices), of: query, visit)
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        guard let join = query.join else { return try reader.select(columns, of: query, visit) }
        guard query.limit != 0 else { return }
        try JoinPlan(join, try query.resolved(by: reader), reader).select(columns, visit)
    }

    func count(_ query: RowQuery) throws -> Int {
        var count = 0
        try select([], of: query) {
            count += $0.count
            return true
        }
        return count
    }

    func explain(_ query: RowQuery) throws -> String {
        guard let join = query.join else { return try reader.explain(query) }
        return JoinPlan(join, query, reader).description
    }
}
