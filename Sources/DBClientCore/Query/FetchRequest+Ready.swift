// Requests that every model has. They go wherever a request goes, and compose like any other.
extension StoredConvertible {
    /// Returns a request for the value with a primary key.
    public static func with(key: PrimaryKey) -> FetchRequest<Self> {
        with(keys: [key])
    }

    /// Returns a request for the values with some primary keys.
    public static func with(keys: [PrimaryKey]) -> FetchRequest<Self> {
        FetchRequest().filter(
            Condition {
                let entity = Storage.schema.entity
                try entity.validate()
                let buffer = RowBuffer(entity, columns: entity.primaryKey)
                for key in keys { try Storage.encode(key: key, to: buffer) }
                return withExtendedLifetime(buffer) { .holding(buffer.batch, entity.primaryKey) }
            }
        )
    }

    /// Returns a request for what is stored of a value: the one with the same primary key.
    public static func stored(_ value: Self) -> FetchRequest<Self> {
        with(key: value.primaryKey)
    }

    /// Returns a request for what is stored of some values: those with the same primary keys.
    public static func stored(_ values: [Self]) -> FetchRequest<Self> {
        with(keys: values.map(\.primaryKey))
    }
}

extension Stored {
    /// Returns a request for the values that are like an example in some fields.
    ///
    /// ```swift
    /// let namesakes = try await client.fetch(Character.matching(ironMan, fields: \.name, \.publisher))
    /// ```
    ///
    /// The fields are compared as they are stored, an embedded struct with all its fields. Where the
    /// example has nil, the field must be absent.
    public static func matching(
        _ example: Self,
        fields: PartialKeyPath<Self>...
    ) -> FetchRequest<Self> {
        FetchRequest().filter(
            Condition {
                let entity = schema.entity
                try entity.validate()
                let columns = try fields.flatMap { field in
                    let first = try column(of: field)
                    return Array(first..<first + columnCount(of: type(of: field).valueType))
                }
                let buffer = RowBuffer(entity)
                try encode([example], in: 0..<1, to: buffer)
                return withExtendedLifetime(buffer) {
                    columns.reduce(.constant(true)) { condition, column in
                        .conjunction(
                            condition,
                            .comparing(
                                column: column,
                                .equal,
                                StorageValue(buffer.batch[0, column])
                            )
                        )
                    }
                }
            }
        )
    }

    /// Returns the number of columns of a property of a type.
    private static func columnCount(of type: any Any.Type) -> Int {
        if let embedded = type as? any EmbeddedValue.Type { return embedded.columnCount }
        if let optional = type as? any OptionalColumns.Type { return optional.columnCount }
        return 1
    }
}

extension RowCondition {
    /// Returns the condition of the rows whose fields hold one of the rows of a batch.
    fileprivate static func holding(_ rows: RowBatch, _ columns: [Int]) -> RowCondition {
        if columns.count == 1 {
            return .member(
                column: columns[0],
                of: (0..<rows.count).map { StorageValue(rows[$0, 0]) }
            )
        }
        return (0..<rows.count).reduce(.constant(false)) { condition, row in
            .disjunction(
                condition,
                .all(
                    columns.indices.map {
                        .comparing(column: columns[$0], .equal, StorageValue(rows[row, $0]))
                    }
                )
            )
        }
    }
}

/// An optional property as columns: one more for a struct, which says whether it is there.
private protocol OptionalColumns {
    static var columnCount: Int { get }
}

extension Optional: OptionalColumns {
    fileprivate static var columnCount: Int {
        guard let embedded = Wrapped.self as? any EmbeddedValue.Type else { return 1 }
        return embedded.columnCount + 1
    }
}
