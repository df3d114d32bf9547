/// Values as rows of their entity, and what they hold.
struct EncodedModels {
    /// A row of slots for each value.
    let rows: RowBuffer
    /// The related values; nil for values without any.
    let graph: RowGraph?
    private let columns: [Int]

    /// Encodes values; `keepingKeys` leaves the zeros of keys that the store makes as they are.
    init<Model: Stored>(_ models: [Model], keepingKeys: Bool = false) throws {
        let schema = Model.schema
        rows = RowBuffer(schema.layout, capacity: models.count)
        graph = schema.entity.isFlat ? nil : RowGraph(schema.entity)
        columns = schema.layoutColumns
        rows.graph = graph
        try Model.encode(models, in: models.indices, to: rows)
        if !keepingKeys { rows.fillGeneratedKeys() }
        try rows.checkKeyLengths()
    }

    /// Returns the values of the entity's columns; the key that the store is to make is null.
    func values(of row: Int) -> [StorageValue] {
        rows.withBatch { batch in columns.map { StorageValue(batch[row, $0]) } }
    }
}

extension EntityContext {
    /// Returns the entities of values, made or changed to be like them with what they hold.
    func entities<Model: Stored>(like models: [Model]) throws -> [ManagedEntity] {
        let schema = try writable(Model.schema.entity)
        guard depth < RelationshipLoader.maximumDepth else {
            throw DBClientError(
                .invalidValue,
                "Values must be nested at most \(RelationshipLoader.maximumDepth) deep.",
                entity: schema.name
            )
        }
        depth += 1
        defer { depth -= 1 }
        let encoded = try EncodedModels(models)
        let rows = models.indices.map { encoded.values(of: $0) }
        let keys = rows.map { EntityKey(schema, $0) }
        // Held until the entities are changed: the context would release them.
        let found = try entities(schema, with: keys.compactMap(\.self))
        let entities = try withExtendedLifetime(found) {
            try zip(rows, keys).map { row, key in
                guard let known = key.flatMap({ inUse($0) }), known.state != .deleted else {
                    return try insert(schema, row)
                }
                try known.replace(row, at: 0)
                return known
            }
        }
        try assign(encoded, to: entities)
        return entities
    }

    /// Sets the relationships of entities to what the values that they were made from hold.
    func assign(_ encoded: EncodedModels, to entities: [ManagedEntity]) throws {
        guard let graph = encoded.graph else { return }
        var saved: [ObjectIdentifier: [ManagedEntity]] = [:]
        for collection in graph.collections {
            saved[ObjectIdentifier(collection)] = try collection.entities(in: self)
        }
        for (index, branch) in graph.branches.enumerated() {
            let targets = branch.collection.flatMap { saved[ObjectIdentifier($0)] }
            for (row, entity) in entities.enumerated() {
                let elements = branch.elements(of: row).map { Int($0) }
                if branch.relationship.link == nil {
                    // The columns have the key of a reference already.
                    guard let targets else { continue }
                    try entity.replace(relationship: index, by: elements.first.map { targets[$0] })
                } else if let targets {
                    try entity.replace(list: index, by: elements.map { .entity(targets[$0]) })
                } else if let keys = branch.keys {
                    let found = keys.withBatch { batch in
                        elements.map {
                            EntityKey(entity: keys.entity, values: batch.values(at: $0))
                        }
                    }
                    try entity.replace(list: index, by: found.map { .key($0) })
                }
            }
        }
    }

    /// Returns entities as stored values, with what they hold: one batch for each relationship.
    func values<Model: Stored>(
        of entities: [ManagedEntity],
        as type: Model.Type
    ) throws -> [Model] {
        guard !Model.schema.entity.isFlat else {
            return try entities.map { try $0.value(as: type) }
        }
        try flush()
        let rows = RowBuffer(Model.schema.entity, capacity: entities.count)
        for entity in entities {
            try entity.checkType(type)
            try entity.prepare()
            try rows.append(entity.values)
        }
        return try RelationshipLoader(openReader()).models(type, of: rows)
    }
}
