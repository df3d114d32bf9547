// What an engine need not implement to read: right for every engine, and implemented by one that has a quicker way.
extension EngineReader {
    /// Nil, which is the default: the engine does not note the models that are used.
    public var usage: ModelUsage? { nil }

    /// False, which is the default: the library joins rows.
    public func canJoin(_ query: RowQuery) throws -> Bool { false }

    /// By default the library computes what no field holds.
    public func canGroup(_ grouping: RowGrouping) throws -> Bool { false }

    /// False, which is the default: the library walks level by level.
    public func canWalk(_ query: RowQuery) throws -> Bool { false }

    /// Nil, which is the default: the engine has no index of words.
    public func rankFromIndex(
        _ rank: RowExpression,
        of entity: EntitySchema
    ) throws -> RowExpression? {
        nil
    }

    /// Nil, which is the default: the engine does not know how many rows there are.
    public func rowCount(of entity: EntitySchema) throws -> Int? { nil }

    /// Returns hints that say nothing, which is the default.
    public func hints(for entity: EntitySchema) -> EngineHints { EngineHints() }

    /// Visits the rows as `scan` does.
    public func scanForCaller(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try scan(query, visit)
    }

    /// Gets the rows by their keys.
    public func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        try get(entity, keys: keys) { try visit($1) }
    }

    /// Visits the rows and counts them.
    public func count(_ query: RowQuery) throws -> Int {
        var count = 0
        var query = query
        // How many there are depends on no order, whose keys some rows may lack.
        query.orderings = []
        try scan(query) {
            count += $0.count
            return true
        }
        return count
    }

    /// Asks for the one group of all rows, or looks up what the path leads to.
    public func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        guard path.isEmpty else {
            return try aggregateByLookingUp(function, column: column, through: path, of: query)
        }
        var value = StorageValue.null
        let term = RowGrouping.Term.function(function, column: column)
        try group(RowGrouping(query, by: [], terms: [term])) { value = StorageValue($0[0]) }
        return value
    }

    /// Computes a function over a field of what rows lead to by a path: the field is looked up once for each key.
    public func aggregateByLookingUp(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        let ordering = RowOrdering(column: column, path: path)
        guard let field = RelatedField(ordering, of: query.entity, in: self), let last = path.last
        else {
            return try aggregate(function, column: column, through: [], of: query)
        }
        var aggregate = FieldAggregate(function)
        try scan(query.unorderedUnlessLimited) { batch in
            for row in 0..<batch.count {
                aggregate.add(try field.slot(of: BatchRow(batch: batch, row: row)))
            }
            return true
        }
        return try withExtendedLifetime(field) { try aggregate.result(last.entity, column) }
    }

    /// Asks for the groups by the field.
    public func distinct(
        column: Int,
        of query: RowQuery,
        _ visit: (Slot) throws -> Void
    ) throws {
        let key = RowGrouping.Key(column)
        try group(RowGrouping(query, by: [key], terms: [])) { try visit($0[0]) }
    }

    /// Visits some fields of the rows of a query, read with all the others.
    public func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        let rows = ProjectedRows(columns, of: query.entity)
        try scan(query) { batch in
            for row in 0..<batch.count {
                rows.add { batch[row, $0] }
                if rows.isFull, try !rows.flush(visit) { return false }
            }
            return try rows.flush(visit)
        }
    }

    /// Visits the groups of the rows of a query, put together here from the fields that they need.
    public func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        try groupSelectedRows(grouping, visit)
    }

    /// Reads the rows, and asks for groups of those that belong to them.
    public func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        try annotateScannedRows(query, with: annotations, visit)
    }

    /// Says that every row is visited.
    public func explain(_ query: RowQuery) throws -> String {
        "visit every row of \(query.entity.name)"
    }

    /// Throws `.unsupported`, which is the default: the engine has no migrations.
    public func difference(from entity: EntitySchema) throws -> ShapeDifference? {
        throw EntitySchema.noMigrations
    }

    /// Returns none, which is the default: the engine has no statements.
    public func statements(of change: ShapeChange, to entity: EntitySchema) throws -> [String] {
        []
    }

    /// Returns nil, which is the default: the engine keeps no stored views.
    public func viewMark(of entity: EntitySchema) throws -> String? { nil }

    /// Throws `.unsupported`, which is the default: the engine knows no shape but that of a model.
    public func shapes() throws -> [StoredShape] {
        throw DBClientError(
            .unsupported,
            "The engine must know what it stores to tell its entities.",
            hint: "Make the catalog of models: EntityCatalog([Character.self])."
        )
    }
}

extension EntitySchema {
    static var noMigrations: DBClientError {
        DBClientError(.unsupported, "The engine must support migrations.")
    }
}
