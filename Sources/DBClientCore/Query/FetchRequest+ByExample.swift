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
    /// The fields are compared as they are stored, an embedded struct with all its fields. Values of other
    /// models are identified by their primary keys, those in an array also by their places. Where the example
    /// has nil, the field must be absent.
    public static func matching(
        _ example: Self,
        fields: PartialKeyPath<Self>...
    ) -> FetchRequest<Self> {
        FetchRequest().filter(
            Condition {
                let entity = schema.entity
                try entity.validate()
                let encoded = try EncodedModels([example], keepingKeys: true)
                let values = encoded.values(of: 0)
                var condition = RowCondition.constant(true)
                for field in fields {
                    if let relationship = schema.relationship(of: field),
                        let link = relationship.link,
                        let branch = encoded.graph?.branch(at: relationship.slot)
                    {
                        let elements = branch.keys(of: 0)
                        condition = .conjunction(condition, .linking(entity, link, to: elements))
                        continue
                    }
                    for column in try columns(of: field) {
                        condition = .conjunction(
                            condition,
                            .comparing(column: column, .equal, values[column])
                        )
                    }
                }
                return condition
            }
        )
    }
}

extension RowCondition {
    /// Returns the condition of the rows whose fields hold one of the rows of a batch.
    fileprivate static func holding(_ rows: RowBatch, _ columns: [Int]) -> RowCondition {
        let keys = (0..<rows.count).map { row in
            columns.indices.map { StorageValue(rows[row, $0]) }
        }
        return keys.isEmpty ? .constant(false) : .keys(columns, in: keys)
    }

    /// Returns the condition of the owners that hold exactly the elements with some keys.
    fileprivate static func linking(
        _ owner: EntitySchema,
        _ link: LinkSchema,
        to keys: [[StorageValue]]
    ) -> RowCondition {
        let places = link.position.map { [$0] } ?? []
        let elements =
            places.isEmpty
            ? Array(Set(keys)) : keys.enumerated().map { [.integer(Int64($0))] + $1 }
        func isCount(of condition: RowCondition) -> RowCondition {
            .related(
                RelatedRows(
                    link.entity,
                    link.owner,
                    matching: owner.primaryKey,
                    where: condition,
                    count: RowCount(.equal, elements.count)
                )
            )
        }
        let all = isCount(of: .constant(true))
        if elements.isEmpty { return all }
        return .all([all, isCount(of: .keys(places + link.target, in: elements))])
    }
}
