extension DBClient {
    /// Returns the value with a primary key, nil while there is none, and then each other value that it
    /// takes.
    ///
    /// ```swift
    /// for try await hero in client.observe(Character.self, key: 1455) { show(hero) }
    /// ```
    public func observe<Model: Stored>(
        _ type: Model.Type,
        key: Model.PrimaryKey
    ) -> ValueStream<Model?> {
        let source = observation
        return ValueStream(
            begin: {
                let comparison = StoredFormComparison<Model>()
                return try source.valueReader(
                    try RowQuery(key: key, of: Model.self),
                    isSame: { comparison.isSame($0, $1) },
                    compute: { try $0.find(type, key: key) }
                )
            },
            hub: source.hub
        )
    }

    /// Returns the number of values of a request, its limit and offset applied, and then each other
    /// number.
    public func observeCount<Request: FetchRequestConvertible>(
        _ request: Request
    ) -> ValueStream<Int> where Request.Model: Stored {
        observe(request) { try $0.count(request) }
    }

    /// Returns what a read finds, and then each other value that it finds when values of a request were
    /// written: an aggregate, for instance.
    ///
    /// ```swift
    /// let strongest = client.observe(villains) { try $0.max(\.power, of: villains) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The values of which any that is written may change what is read.
    ///   - read: Reads the value in a transaction; called again after each commit that wrote values of
    ///     the request, or once for several.
    /// - Returns: The values that it takes.
    public func observe<Request: FetchRequestConvertible, Value: Equatable & Sendable>(
        _ request: Request,
        _ read: @escaping @Sendable (any ReadTransaction) throws -> Value
    ) -> ValueStream<Value> where Request.Model: Stored {
        let source = observation
        return ValueStream(
            begin: {
                try source.valueReader(
                    try request.request.rowQuery(),
                    isSame: { $0 == $1 },
                    compute: read
                )
            },
            hub: source.hub
        )
    }
}

extension RowQuery {
    /// Creates the query of the row with a primary key.
    init<Model: Stored>(key: Model.PrimaryKey, of type: Model.Type) throws {
        let entity = Model.schema.entity
        try entity.validate()
        let buffer = RowBuffer(entity, columns: entity.primaryKey)
        try Model.encode(key: key, to: buffer)
        let conditions = entity.primaryKey.enumerated().map { position, column in
            RowCondition.compare(
                column: column,
                .equal,
                StorageValue(buffer.batch[0, position]),
                .binary
            )
        }
        self.init(entity, where: conditions.count == 1 ? conditions[0] : .all(conditions))
    }
}

/// Compares values of a model by what they write.
private final class StoredFormComparison<Model: Stored>: Sendable {
    func isSame(_ left: Model?, _ right: Model?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        let key = OrderKey(bytes: [], identityStart: 0)
        return ModelComparison<Model>().isSame(ModelEntry(key, left), ModelEntry(key, right))
    }
}
