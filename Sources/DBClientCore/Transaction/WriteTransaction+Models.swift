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
}
