// What follows from the shape, for conversions that do not know better.
extension ModelConversion {
    /// Returns the request for the shape, its fields found by their stored names.
    public func request(_ request: FetchRequest<Model>) throws -> FetchRequest<Shape> {
        try fields.request(request)
    }

    /// Returns the value with a primary key, or nil.
    public func find(
        _ key: Model.PrimaryKey,
        in transaction: any ReadTransaction
    ) throws -> Model? {
        guard let shape = try transaction.find(Shape.self, key: key) else { return nil }
        return try models([shape], in: transaction).first
    }

    /// Returns the values with these primary keys that exist.
    public func find(
        _ keys: [Model.PrimaryKey],
        in transaction: any ReadTransaction
    ) throws -> [Model] {
        try models(transaction.find(Shape.self, keys: keys), in: transaction)
    }

    /// Returns the values of a request.
    public func fetch(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> [Model] {
        try models(transaction.fetch(self.request(request)), in: transaction)
    }

    /// Returns the values of a request, and where the last of them stands in its order.
    func page(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> FetchPage<Model> {
        let shapes = try transaction.fetch(self.request(request))
        return FetchPage(
            models: try models(shapes, in: transaction),
            end: try shapes.last.map { try fields.place(of: $0, in: request, transaction) }
        )
    }

    /// Calls a function with each value of a request.
    public func forEach(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction,
        _ body: (Model) throws -> Bool
    ) throws {
        try transaction.forEach(self.request(request)) { shape in
            for model in try models([shape], in: transaction) {
                guard try body(model) else { return false }
            }
            return true
        }
    }

    /// Returns the number of values of a request.
    public func count(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> Int {
        try transaction.count(self.request(request))
    }

    /// Computes a function over a field of the values of a request.
    public func aggregate(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Model.Storage>,
        of request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> StorageValue {
        try transaction.aggregate(
            function,
            fields.keyPath(field, as: PartialKeyPath<Shape>.self),
            of: self.request(request)
        )
    }

    /// Returns the different values of a field over the values of a request.
    public func distinct<Value: StorableValue>(
        _ field: KeyPath<Model.Storage, Value>,
        of request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> [Value] {
        try transaction.distinct(
            fields.keyPath(field, as: KeyPath<Shape, Value>.self),
            of: self.request(request)
        )
    }

    /// Writes some fields of the value with a primary key.
    public func update(
        _ key: Model.PrimaryKey,
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        try transaction.update(Shape.self, key: key) { try fields.assign(&$0, assign) }
    }

    /// Writes some fields of the values with these primary keys, of each its own.
    public func update(
        _ keys: [Model.PrimaryKey],
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws {
        try transaction.update(Shape.self, keys: keys) { (assignments, key) throws -> Void in
            try fields.assign(&assignments) { try assign(&$0, key) }
        }
    }

    /// Writes some fields of the values of a request.
    public func update(
        _ request: FetchRequest<Model>,
        in transaction: any WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws -> Int {
        try transaction.update(self.request(request)) { try fields.assign(&$0, assign) }
    }

    /// Deletes the values with these primary keys.
    public func delete(
        _ keys: [Model.PrimaryKey],
        in transaction: any WriteTransaction
    ) throws -> Int {
        try transaction.delete(Shape.self, keys: keys)
    }

    /// Deletes the values of a request.
    public func delete(
        _ request: FetchRequest<Model>,
        in transaction: any WriteTransaction
    ) throws -> Int {
        try transaction.delete(self.request(request))
    }

    /// Returns the mapping of the fields of the model's `Storage`.
    var fields: FieldMapping<Model, Shape> { FieldMapping() }

    /// Returns the query of a request and the positions of some columns in the shape.
    func selection(
        of columns: [Int],
        _ request: FetchRequest<Model>
    ) throws -> (query: RowQuery, columns: [Int]) {
        (try rowQuery(request), try columns.map(fields.column))
    }

    /// Returns a grouping of the values of a request in the shape.
    func grouping(_ grouping: RowGrouping, _ request: FetchRequest<Model>) throws -> RowGrouping {
        RowGrouping(
            try rowQuery(request),
            by: try grouping.keys.map { key in
                let ordering = try fields.ordering(RowOrdering(column: key.column, path: key.path))
                return RowGrouping.Key(ordering.column, through: ordering.path)
            },
            terms: try grouping.terms.map { try $0.mapped(fields.column) },
            where: try grouping.condition.mapped(fields.column)
        )
    }

    /// Computes a function over a field of the values of a request, or of what they hold.
    func aggregate(
        _ function: AggregateFunction,
        _ field: RowOrdering,
        of request: FetchRequest<Model>,
        in reader: any EngineReader
    ) throws -> StorageValue {
        let field = try fields.ordering(field)
        return try reader.aggregate(
            function,
            column: field.column,
            through: field.path,
            of: rowQuery(request)
        )
    }
}
