// Reading rows. Each is one call of an engine and one call to interceptors.
extension ReadTransaction {
    /// Visits the rows of a query in its total order, in batches of any size.
    package final func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try intercept(.on(query, .fetch)) { try reader().scan(query, visit) }
    }

    /// Returns the number of rows of a query.
    final func count(_ query: RowQuery) throws -> Int {
        try intercept(.on(query, .count)) { try reader().count(query) }
    }

    /// Computes a function over a field of the rows of a query, or of what they lead to by a path.
    final func aggregate(
        _ function: AggregateFunction,
        _ field: RowOrdering,
        of query: RowQuery
    ) throws -> StorageValue {
        let entity = field.path.last?.entity ?? query.entity
        return try intercept(.on(query, .aggregate, [entity.fieldName(field.column)])) {
            field.path.isEmpty
                ? try reader().aggregate(function, column: field.column, of: query)
                : try reader()
                    .aggregate(function, column: field.column, through: field.path, of: query)
        }
    }

    /// Visits the different values of a field over the rows of a query, ascending, nil first.
    final func distinct(
        column: Int,
        of query: RowQuery,
        _ visit: (Slot) throws -> Void
    ) throws {
        try intercept(.on(query, .distinct, [query.entity.fieldName(column)])) {
            try reader().distinct(column: column, of: query, visit)
        }
    }

    /// Visits some fields of the rows of a query in its total order, in batches of any size.
    @usableFromInline
    final func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try intercept(.on(query, .select, columns.map(query.entity.fieldName))) {
            try reader().select(columns, of: query, visit)
        }
    }

    /// Visits the groups of a grouping, ascending by their keys, nil first.
    final func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let fields = grouping.keys.map { $0.field(of: grouping.query.entity).name }
        try intercept(.on(grouping.query, .group, fields)) {
            try reader().group(grouping, visit)
        }
    }

    /// Describes how a query would run.
    final func explain(_ query: RowQuery) throws -> String {
        try intercept(.on(query, .explain)) { try reader().explain(query) }
    }
}

extension TransactionCall {
    /// Returns a call on the rows of a query.
    static func on(
        _ query: RowQuery,
        _ kind: Kind,
        _ fields: [String] = []
    ) -> TransactionCall {
        TransactionCall(kind, entity: query.entity.name, fields: fields, query: query)
    }

    /// Returns a call on as many values or keys as are given.
    static func on(_ entity: EntitySchema, _ kind: Kind, _ count: Int) -> TransactionCall {
        TransactionCall(kind, entity: entity.name, givenCount: count)
    }
}
