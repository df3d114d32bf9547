/// A reader that forwards every call to another; an adopter implements only what it does differently.
///
/// Calls with a default in `EngineReader` are forwarded as well, since the other may implement them better.
protocol ForwardingReader: EngineReader {
    /// The reader that does the work.
    var source: any EngineReader { get }
}

extension ForwardingReader {
    var buffers: RowBuffers { source.buffers }

    var usage: ModelUsage? { source.usage }

    func canJoin(_ query: RowQuery) throws -> Bool { try source.canJoin(query) }

    func canWalk(_ query: RowQuery) throws -> Bool { try source.canWalk(query) }

    func rankFromIndex(
        _ rank: RowExpression,
        of entity: EntitySchema
    ) throws -> RowExpression? {
        try source.rankFromIndex(rank, of: entity)
    }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        try source.get(entity, keys: keys, visit)
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        try source.lookUp(entity, keys: keys, visit)
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try source.scan(query, visit)
    }

    func scanForCaller(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try source.scanForCaller(query, visit)
    }

    func count(_ query: RowQuery) throws -> Int {
        try source.count(query)
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        try source.aggregate(function, column: column, through: path, of: query)
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        try source.distinct(column: column, of: query, visit)
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try source.select(columns, of: query, visit)
    }

    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        try source.group(grouping, visit)
    }

    func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        try source.annotate(query, with: annotations, visit)
    }

    func canGroup(_ grouping: RowGrouping) throws -> Bool { try source.canGroup(grouping) }

    func rowCount(of entity: EntitySchema) throws -> Int? { try source.rowCount(of: entity) }

    func hints(for entity: EntitySchema) -> EngineHints { source.hints(for: entity) }

    func explain(_ query: RowQuery) throws -> String {
        try source.explain(query)
    }

    func difference(from entity: EntitySchema) throws -> ShapeDifference? {
        try source.difference(from: entity)
    }

    func statements(of change: ShapeChange, to entity: EntitySchema) throws -> [String] {
        try source.statements(of: change, to: entity)
    }

    func shapes() throws -> [StoredShape] {
        try source.shapes()
    }

    func viewMark(of entity: EntitySchema) throws -> String? {
        try source.viewMark(of: entity)
    }
}
