// Reading models, in whatever shape the engine keeps them.
extension ModelMapping {
    /// Returns the values with these primary keys that exist, in the order of `keys`.
    func find(_ keys: [Model.PrimaryKey], in transaction: ReadTransaction) throws -> [Model] {
        let shapes = try transaction.intercept(.on(entity, .find, keys.count)) {
            try transaction.findStored(Shape.self, keys: keys)
        }
        return try models(shapes, in: transaction)
    }

    /// Returns the values of a request.
    func fetch(
        _ request: FetchRequest<Model>,
        in transaction: ReadTransaction
    ) throws -> [Model] {
        try models(fetchShapes(request, in: transaction), in: transaction)
    }

    private func fetchShapes(
        _ request: FetchRequest<Model>,
        in transaction: ReadTransaction
    ) throws -> [Shape] {
        let query = try transaction.resolving(.fetch, Model.self) { try rowQuery(request) }
        return try transaction.intercept(.on(query, .fetch)) {
            try transaction.fetchStored(Shape.self, query)
        }
    }

    /// Returns the values of a request, and where the last of them stands in its order.
    func page(
        _ request: FetchRequest<Model>,
        in transaction: ReadTransaction
    ) throws -> FetchPage<Model> {
        let shapes = try fetchShapes(request, in: transaction)
        return FetchPage(
            models: try models(shapes, in: transaction),
            end: try shapes.last.map { try fields.place(of: $0, in: request, transaction) }
        )
    }

    /// Calls a function with each value of a request.
    func forEach(
        _ request: FetchRequest<Model>,
        in transaction: ReadTransaction,
        _ body: (Model) throws -> Bool
    ) throws {
        let query = try transaction.resolving(.forEach, Model.self) { try rowQuery(request) }
        try transaction.intercept(.on(query, .forEach)) {
            try transaction.forEachStored(Shape.self, query) { shape in
                for model in try models([shape], in: transaction) {
                    guard try body(model) else { return false }
                }
                return true
            }
        }
    }

    /// Returns the query of a request and where a property of the model's `Storage` is in the shape.
    func field(
        _ field: AnyKeyPath,
        of request: FetchRequest<Model>
    ) throws -> (query: RowQuery, place: RowGrouping.Key) {
        try self.field(Model.Storage.place(of: field), of: request)
    }

    /// Returns the query of a request and where a field, of the model or of what it holds, is in the shape.
    func field(
        _ place: RowGrouping.Key,
        of request: FetchRequest<Model>
    ) throws -> (query: RowQuery, place: RowGrouping.Key) {
        (try rowQuery(request), try fields.place(place))
    }

    /// Returns the query of a request and where some fields are in the shape.
    func selection(
        of places: [RowGrouping.Key],
        _ request: FetchRequest<Model>
    ) throws -> (query: RowQuery, places: [RowGrouping.Key]) {
        (try rowQuery(request), try places.map(fields.place))
    }

    /// Returns a grouping of the values of a request in the shape.
    func grouping(_ grouping: RowGrouping, _ request: FetchRequest<Model>) throws -> RowGrouping {
        RowGrouping(
            try rowQuery(request),
            by: try grouping.keys.map(fields.place),
            terms: try grouping.terms.map(fields.term),
            where: try grouping.condition.mapped(fields.term)
        )
    }
}

extension ReadTransaction {
    /// Runs a body that says what a call asks of rows.
    ///
    /// Where the request is malformed, interceptors see a call that fails.
    final func resolving<Model: StoredConvertible, Plan>(
        _ kind: TransactionCall.Kind,
        _ type: Model.Type,
        _ body: () throws -> Plan
    ) throws -> Plan {
        do {
            return try body()
        } catch {
            let entity = Model.Storage.schema.entity.name
            return try intercept(TransactionCall(kind, entity: entity)) { throw error }
        }
    }
}
