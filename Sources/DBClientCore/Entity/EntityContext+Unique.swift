// Entities found by fields that are unique, instead of by their keys.
extension EntityContext {
    /// Finds the entities that have the same values in some fields as values have.
    ///
    /// What waits to be written is written first. Of values with the same values in the fields the last one counts; one
    /// with nil in a field finds nothing. One call reads the entities that are not in use.
    ///
    /// - Parameters:
    ///   - type: The model of the entities, in which the fields have the same stored names.
    ///   - models: The values.
    ///   - fields: The fields.
    /// - Returns: The positions of the values that count, each with its entity, or nil.
    /// - Throws: `.invalidRequest` when the entities lack one of the fields, keep it in another type, or have no unique
    ///   index over exactly these.
    package func match<Shape: Stored, Model: Stored>(
        _ type: Shape.Type,
        like models: [Model],
        in fields: UniqueFields
    ) throws -> [(position: Int, existing: ManagedEntity?)] {
        let reader = try openReader()
        try flush()
        let entity = Shape.schema.entity
        let columns = try fields.columns(of: entity)
        let places = try columns.map { try entity.place(of: $0, in: Model.schema.entity) }
        let wanted = try models.map { try Model.values(places, of: $0) }
        var last: [[StorageValue]: Int] = [:]
        for (position, values) in wanted.enumerated() where !values.contains(.null) {
            last[values] = position
        }
        var keys: [[StorageValue]: EntityKey] = [:]
        if !last.isEmpty {
            let query = RowQuery(entity, where: .keys(columns, in: Array(last.keys)))
            try reader.select(columns + entity.primaryKey, of: query) { batch in
                for row in 0..<batch.count {
                    let values = batch.values(at: row)
                    keys[Array(values[..<columns.count])] = EntityKey(
                        entity: entity,
                        values: Array(values[columns.count...])
                    )
                }
                return true
            }
        }
        let found = try entities(entity, with: keys.values)
        return wanted.indices.compactMap { position in
            let values = wanted[position]
            if values.contains(.null) { return (position, nil) }
            guard last[values] == position else { return nil }
            return (position, keys[values].flatMap { found[$0] })
        }
    }
}

extension UniqueFields {
    /// Whether the fields are the primary key of a stored shape of the model.
    ///
    /// - Throws: `.invalidRequest` when the shape lacks one of them, or a unique index over them.
    package func areKey(of entity: EntitySchema) throws -> Bool {
        try columns(of: entity) == entity.primaryKey
    }
}

extension EntitySchema {
    /// Returns the position in another shape of the model of a field that both keep alike.
    fileprivate func place(of column: Int, in other: EntitySchema) throws -> Int {
        let field = fields[column]
        guard let place = other.position(of: field.name), other.fields[place].type == field.type
        else {
            throw DBClientError(
                .invalidRequest,
                "A field by which values are found must have the type in which this engine stores it.",
                entity: name,
                field: field.name
            )
        }
        return place
    }
}
