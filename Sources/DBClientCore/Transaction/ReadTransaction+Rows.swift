// Reading rows. Each is one call of an engine and one call to interceptors.
extension ReadTransaction {
    /// Visits the rows of a query in its total order, in batches of any size.
    ///
    /// A visitor of the caller's takes as long as it likes.
    package final func scan(
        _ query: RowQuery,
        forCaller isForCaller: Bool = false,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try intercept(.on(query, .fetch)) {
            let reader = try reader(of: query)
            return isForCaller
                ? try reader.scanForCaller(query, visit) : try reader.scan(query, visit)
        }
    }

    /// Returns the number of rows of a query.
    final func count(_ query: RowQuery) throws -> Int {
        try intercept(.on(query, .count)) { try reader(of: query).count(query) }
    }

    /// Computes a function over a field of the rows of a query, or of what they lead to.
    final func aggregate(
        _ function: AggregateFunction,
        _ field: RowGrouping.Key,
        of query: RowQuery
    ) throws -> StorageValue {
        try intercept(.on(query, .aggregate, [field.field(of: query.entity).name])) {
            guard field.expression == nil else {
                return try reader(of: query).aggregate(function, computing: field, of: query)
            }
            return try reader(of: query)
                .aggregate(function, column: field.column, through: field.path, of: query)
        }
    }

    /// Visits the different values of a field of the rows of a query, or of those that they lead to, ascending, nil
    /// first.
    final func distinct(
        _ field: RowGrouping.Key,
        of query: RowQuery,
        _ visit: (Slot) throws -> Void
    ) throws {
        try intercept(.on(query, .distinct, [field.field(of: query.entity).name])) {
            try reader(of: query).distinct(field, of: query, visit)
        }
    }

    /// Visits fields of the rows of a query and of those that they lead to, in the query's order.
    final func select(
        _ fields: [RowGrouping.Key],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try intercept(.on(query, .select, fields.map { $0.field(of: query.entity).name })) {
            try reader(of: query).select(fields, of: query, visit)
        }
    }

    /// Visits the groups of a grouping, ascending by their keys, nil first.
    final func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let fields = grouping.keys.map { $0.field(of: grouping.query.entity).name }
        try intercept(.on(grouping.query, .group, fields)) {
            try reader(of: grouping.query).groups(grouping, visit)
        }
    }

    /// Visits the rows of a query in its order, each with what is computed of the rows that belong to it.
    final func annotate(
        _ query: RowQuery,
        with annotations: [RowAnnotation],
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let fields = query.entity.fields.map(\.name)
        try intercept(.on(query, .select, fields)) {
            try reader(of: query).annotate(query, with: annotations, visit)
        }
    }

    /// Describes how a query would run, and what its entities have to do with stored views.
    final func explain(_ query: RowQuery) throws -> String {
        try intercept(.on(query, .explain)) {
            let plan = try reader(of: query).explain(query)
            return try ([plan] + query.linesOfViews()).joined(separator: "\n")
        }
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
