/// Notes what is read.
///
/// Not for use by two threads at once.
final class ReadTracker {
    @exclusivity(unchecked) fileprivate(set) var dependencies = ReadDependencies()

    init() {}
}

/// A reader that notes in a tracker what is read through it.
final class TrackingReader: ForwardingReader {
    let source: any EngineReader
    private let tracker: ReadTracker

    init(_ source: any EngineReader, _ tracker: ReadTracker) {
        self.source = source
        self.tracker = tracker
    }

    func rankFromIndex(
        _ rank: RowExpression,
        of entity: EntitySchema
    ) throws -> RowExpression? {
        let found = try source.rankFromIndex(rank, of: entity)
        // The figures are those of all rows.
        if found != nil { tracker.dependencies.add(RowQuery(entity)) }
        return found
    }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        tracker.dependencies.add(entity, keys: keys)
        try source.get(entity, keys: keys, visit)
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        tracker.dependencies.add(entity, keys: keys)
        try source.lookUp(entity, keys: keys, visit)
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        tracker.dependencies.add(query)
        try source.scan(query, visit)
    }

    func scanForCaller(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        tracker.dependencies.add(query)
        try source.scanForCaller(query, visit)
    }

    func count(_ query: RowQuery) throws -> Int {
        tracker.dependencies.add(query)
        return try source.count(query)
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        tracker.dependencies.add(query)
        tracker.dependencies.add(path)
        return try source.aggregate(function, column: column, through: path, of: query)
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        tracker.dependencies.add(query)
        try source.distinct(column: column, of: query, visit)
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        tracker.dependencies.add(query)
        try source.select(columns, of: query, visit)
    }

    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        tracker.dependencies.add(grouping.query)
        for key in grouping.keys + grouping.allTerms.compactMap(\.operand) {
            tracker.dependencies.add(key.path)
        }
        try source.group(grouping, visit)
    }

    func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        tracker.dependencies.add(query)
        for annotation in annotations {
            let rows = annotation.rows
            tracker.dependencies.add(RowQuery(rows.entity, where: rows.condition))
            tracker.dependencies.add(annotation.term.operand?.path ?? [])
        }
        try source.annotate(query, with: annotations, visit)
    }
}
