// Writing some fields of models, and deleting them, in whatever shape the engine keeps them.
extension ModelMapping {
    /// Assigns to the fields of the shape that have the same stored names.
    public func update(
        _ key: Model.PrimaryKey,
        in transaction: WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws {
        try transaction.intercept(
            .on(entity, .assign, 1),
            assigning: Shape.self,
            keys: { _ in [key] },
            body: { try $0.updateStored(Shape.self, key: key) { try fields.assign(&$0, assign) } }
        )
    }

    /// Writes some fields of the values with these primary keys, of each its own.
    func update(
        _ keys: [Model.PrimaryKey],
        in transaction: WriteTransaction,
        _ assign: (inout Assignments<Model>, Model.PrimaryKey) throws -> Void
    ) throws {
        try transaction.intercept(
            .on(entity, .assign, keys.count),
            assigning: Shape.self,
            keys: { _ in keys },
            body: {
                try $0.updateStored(Shape.self, keys: keys) { (assignments, key) throws -> Void in
                    try fields.assign(&assignments) { try assign(&$0, key) }
                }
            }
        )
    }

    /// Writes some fields of the values of a request.
    func update(
        _ request: FetchRequest<Model>,
        in transaction: WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws -> Int {
        let query = try transaction.resolving(.assignMatching, Model.self) { try rowQuery(request) }
        return try transaction.intercept(
            .on(query, .assignMatching),
            assigning: Shape.self,
            // Once written, they may not fulfil the request any more.
            keys: { try $0.fetchStored(Shape.self, query).map(\.primaryKey) },
            body: { try $0.updateStored(Shape.self, query) { try fields.assign(&$0, assign) } }
        )
    }

    /// Deletes the values with these primary keys.
    func delete(_ keys: [Model.PrimaryKey], in transaction: WriteTransaction) throws -> Int {
        if transaction.interceptors.isEmpty {
            return try transaction.deleteStored(Shape.self, keys: keys)
        }
        return try transaction.intercept(.on(entity, .delete, keys.count)) {
            try transaction.deleteStored(Shape.self, keys: keys)
        }
    }

    /// Deletes the values of a request.
    func delete(_ request: FetchRequest<Model>, in transaction: WriteTransaction) throws -> Int {
        let query = try transaction.resolving(.deleteMatching, Model.self) { try rowQuery(request) }
        return try transaction.intercept(.on(query, .deleteMatching)) {
            try transaction.deleteStored(query)
        }
    }

    /// Writes some fields of the values of a query, and returns the values as they are then.
    func updateReturning(
        _ request: FetchRequest<Model>,
        in transaction: WriteTransaction,
        _ assign: (inout Assignments<Model>) throws -> Void
    ) throws -> [Model] {
        let query = try transaction.resolving(.assignMatching, Model.self) { try rowQuery(request) }
        return try undoing(in: transaction) { transaction in
            let shapes = try transaction.intercept(
                .on(query, .assignMatching),
                assigning: Shape.self,
                keys: { try $0.fetchStored(Shape.self, query).map(\.primaryKey) },
                body: {
                    try $0.updateReturningStored(Shape.self, query) {
                        try fields.assign(&$0, assign)
                    }
                }
            )
            return try models(shapes, in: transaction)
        }
    }

    /// Deletes the values of a request, and returns them as they were.
    func deleteReturning(
        _ request: FetchRequest<Model>,
        in transaction: WriteTransaction
    ) throws -> [Model] {
        let query = try transaction.resolving(.deleteMatching, Model.self) { try rowQuery(request) }
        return try undoing(in: transaction) { transaction in
            let shapes = try transaction.intercept(.on(query, .deleteMatching)) {
                try transaction.deleteReturningStored(Shape.self, query)
            }
            return try models(shapes, in: transaction)
        }
    }

    /// Inserts values that are made from those of a request, and returns how many there were.
    func insert<Source: FetchRequestConvertible>(
        from request: Source,
        in transaction: WriteTransaction,
        _ assign: (inout InsertedFields<Model, Source.Model>, Fields<Source.Model>) throws -> Void
    ) throws -> Int {
        let insertion = try transaction.resolving(.insertMatching, Model.self) {
            var inserted = try InsertedFields<Model, Source.Model>()
            try assign(&inserted, Fields())
            return try self.insertion(of: inserted, from: request.request, in: transaction)
        }
        let call = TransactionCall(
            .insertMatching,
            entity: entity.name,
            fields: insertion.columns.map { entity.fields[$0].name },
            query: insertion.source
        )
        guard transaction.interceptors.contains(where: \.checksValues) else {
            return try transaction.intercept(call) { try transaction.insertStored(insertion) }
        }
        var shapes: [Shape] = []
        try transaction.reader(of: insertion.source).rows(of: insertion).withBatch {
            try Shape.decode($0, appendingTo: &shapes)
        }
        return try transaction.intercept(call, storing: shapes) {
            try transaction.insertStored(shapes).count
        }
    }

    private func insertion<Source: StoredConvertible>(
        of inserted: InsertedFields<Model, Source>,
        from request: FetchRequest<Source>,
        in transaction: ReadTransaction
    ) throws -> RowInsertion {
        try entity.validate()
        guard entity.isFlat else {
            throw DBClientError(
                .unsupported,
                "Values that hold others cannot be inserted from a request.",
                entity: entity.name,
                hint: "Fetch the values of the request, and insert what becomes of them."
            )
        }
        let values = try inserted.values().sorted { $0.key < $1.key }
        let (query, places) = try Source.mapping(in: transaction)
            .selection(of: values.map(\.value), request)
        let columns = try values.map { try fields.column($0.key) }
        return try RowInsertion(
            entity,
            Dictionary(zip(columns, places)) { $1 },
            from: query
        )
    }

    /// Runs a body that converts what it has written, and undoes it where that fails.
    private func undoing<Value>(
        in transaction: WriteTransaction,
        _ body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        Shape.self is Model.Type ? try body(transaction) : try transaction.savepoint(body)
    }
}
