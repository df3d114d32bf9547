/// A reader whose calls go through an interceptor, for what reads rows without a model: selections,
/// groups, stored names.
///
/// It hides that the reader behind it could write.
final class InterceptedReader: InterceptedRows {
    let source: any EngineReader
    let interceptor: any TransactionInterceptor

    init(_ source: any EngineReader, _ interceptor: any TransactionInterceptor) {
        self.source = source
        self.interceptor = interceptor
    }
}

/// What intercepted readers and writers have in common.
protocol InterceptedRows: ForwardingReader {
    var interceptor: any TransactionInterceptor { get }
}

extension InterceptedRows {
    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        let call = TransactionCall(.find, entity: entity.name, givenCount: keys.count)
        try interceptor.intercept(call) { try source.get(entity, keys: keys, visit) }
    }

    func lookUp(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (RowBatch) throws -> Void
    ) throws {
        let call = TransactionCall(.find, entity: entity.name, givenCount: keys.count)
        try interceptor.intercept(call) { try source.lookUp(entity, keys: keys, visit) }
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        try interceptor.intercept(.on(query, .fetch)) { try source.scan(query, visit) }
    }

    func count(_ query: RowQuery) throws -> Int {
        try interceptor.intercept(.on(query, .count)) { try source.count(query) }
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        of query: RowQuery
    ) throws -> StorageValue {
        try interceptor.intercept(.on(query, .aggregate, [query.entity.fieldName(column)])) {
            try source.aggregate(function, column: column, of: query)
        }
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        let entity = path.last?.entity ?? query.entity
        return try interceptor.intercept(.on(query, .aggregate, [entity.fieldName(column)])) {
            try source.aggregate(function, column: column, through: path, of: query)
        }
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        try interceptor.intercept(.on(query, .distinct, [query.entity.fieldName(column)])) {
            try source.distinct(column: column, of: query, visit)
        }
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        try interceptor.intercept(.on(query, .select, columns.map(query.entity.fieldName))) {
            try source.select(columns, of: query, visit)
        }
    }

    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let fields = grouping.keys.map { $0.field(of: grouping.query.entity).name }
        try interceptor.intercept(.on(grouping.query, .group, fields)) {
            try source.group(grouping, visit)
        }
    }

    func explain(_ query: RowQuery) throws -> String {
        try interceptor.intercept(.on(query, .explain)) { try source.explain(query) }
    }
}

extension TransactionCall {
    static func on(
        _ query: RowQuery,
        _ kind: Kind,
        _ fields: [String] = []
    ) -> TransactionCall {
        TransactionCall(kind, entity: query.entity.name, fields: fields, query: query)
    }
}
