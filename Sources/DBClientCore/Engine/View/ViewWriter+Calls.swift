extension ViewWriter {
    // MARK: Writing

    func insert(_ rows: RowBuffer) throws {
        try writer(of: rows.entity).insert(rows)
    }

    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        try writer(of: rows.entity).insert(rows, thenThoseOf: next)
    }

    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        try writer(of: entity).update(rows, of: entity, setting: columns, missing: missing)
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try writer(of: rows.entity).upsert(rows, outcome: outcome)
    }

    func insertAbsent(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try writer(of: rows.entity).insertAbsent(rows, outcome: outcome)
    }

    func upsert(_ rows: RowBuffer, by columns: [Int], outcome: (Int, Bool) -> Void) throws {
        try writer(of: rows.entity).upsert(rows, by: columns, outcome: outcome)
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        try writer(of: entity).delete(entity, keys: keys)
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        try writer(of: query.entity).update(reading(query), setting: assignments)
    }

    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation]
    ) throws -> Int {
        try writer(of: query.entity)
            .update(reading(query), setting: assignments, computing: computations)
    }

    func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws {
        try writer(of: query.entity)
            .update(
                reading(query),
                setting: assignments,
                computing: computations,
                returning: rows
            )
    }

    func delete(_ query: RowQuery) throws -> Int {
        try writer(of: query.entity).delete(reading(query))
    }

    func delete(_ query: RowQuery, returning rows: RowBuffer) throws {
        try writer(of: query.entity).delete(reading(query), returning: rows)
    }

    func insert(_ insertion: RowInsertion) throws -> Int {
        _ = try reading(insertion.source)
        return try writer(of: insertion.entity).insert(insertion)
    }

    // MARK: Reading

    /// Returns a query, before which the views follow what was written where it may read one.
    private func reading(_ query: RowQuery) throws -> RowQuery {
        if query.entity.isView || !query.isDecidedByOwnRows { try keepViews() }
        return query
    }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        if entity.isView { try keepViews() }
        try base.get(entity, keys: keys, visit)
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        if entity.isView { try keepViews() }
        try base.lookUp(entity, keys: keys, visit)
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try base.scan(reading(query), visit)
    }

    func scanForCaller(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try base.scanForCaller(reading(query), visit)
    }

    func count(_ query: RowQuery) throws -> Int {
        try base.count(reading(query))
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        if !path.isEmpty { try keepViews() }
        return try base.aggregate(function, column: column, through: path, of: reading(query))
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        try base.distinct(column: column, of: reading(query), visit)
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try base.select(columns, of: reading(query), visit)
    }

    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let fields = grouping.keys + grouping.allTerms.compactMap(\.operand)
        if fields.contains(where: { !$0.path.isEmpty }) { try keepViews() }
        _ = try reading(grouping.query)
        try base.group(grouping, visit)
    }

    func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        try keepViews()
        try base.annotate(query, with: annotations, visit)
    }
}
