extension EntityContext {
    /// Writes what was changed: new entities in batches, then changed fields, then deletions.
    ///
    /// A call that throws writes nothing, and everything still waits. A new entity that takes over
    /// the unique value of one that is deleted needs a flush between the two.
    ///
    /// What holds a deleted value by a relationship follows its delete rule.
    ///
    /// - Throws: `.duplicateKey` and `.uniqueViolation` as for any write, `.constraintViolation` when
    ///   a required field of a new entity is not set, `.notFound` when the row of a changed entity
    ///   is gone, `.deletionDenied` when a relationship denies a deletion.
    public func flush() throws {
        if pending.isEmpty { return }
        let writer = try openWriter()
        let inserted = pending.filter { $0.state == .inserted }.groupedBySchema
        let changed = pending.filter { $0.state == .stored }
        let deleted = pending.filter { $0.state == .deleted }.groupedBySchema.reversed()
        var keys: [[EntityKey]] = []
        try writer.atomically {
            for group in inserted { keys.append(try insert(group, with: writer)) }
            for entity in changed { try update(entity, with: writer) }
            for group in deleted { try delete(group, with: writer) }
        }
        for (group, keys) in zip(inserted, keys) {
            for (entity, key) in zip(group, keys) {
                if entity.key == nil { know(entity, as: key) }
                entity.markStored(key)
            }
        }
        for entity in changed { if let key = entity.key { entity.markStored(key) } }
        for entity in deleted.joined() { entity.isPending = false }
        pending = []
    }

    /// Inserts entities of one schema and returns their keys.
    private func insert(
        _ entities: [ManagedEntity],
        with writer: any EngineWriter
    ) throws -> [EntityKey] {
        let schema = entities[0].schema
        let rows = RowBuffer(schema, capacity: entities.count)
        for entity in entities {
            var values = entity.values
            // The zero in place of which the store makes a key.
            if entity.key == nil { values[schema.primaryKey[0]] = .integer(0) }
            try rows.append(values)
        }
        rows.fillGeneratedKeys()
        try writer.insert(rows)
        return withExtendedLifetime(rows) {
            entities.indices.map { row in
                EntityKey(
                    entity: schema,
                    values: schema.primaryKey.map { StorageValue(rows.batch[row, $0]) }
                )
            }
        }
    }

    private func update(_ entity: ManagedEntity, with writer: any EngineWriter) throws {
        let columns = entity.changedColumns
        guard !columns.isEmpty, let key = entity.key else { return }
        let rows = RowBuffer(entity.schema)
        try rows.append(entity.values)
        let keys = try keyRows(entity.schema, [key])
        let isFound = try withExtendedLifetime((rows, keys)) {
            try writer.update(
                entity.schema,
                key: keys.batch,
                setting: RowAssignments(columns: columns, values: rows.batch)
            )
        }
        guard isFound else {
            throw DBClientError(
                .notFound,
                "The row of a changed entity is gone.",
                entity: entity.schema.name,
                key: "\(key.values)"
            )
        }
    }

    private func delete(_ entities: [ManagedEntity], with writer: any EngineWriter) throws {
        let schema = entities[0].schema
        let keys = try keyRows(schema, entities.compactMap(\.key))
        let deletion = Deletion(writer, RelationshipRegistry())
        guard try deletion.isPlain(schema) else {
            _ = try deletion.delete(schema, keys: keys)
            return
        }
        _ = try withExtendedLifetime(keys) { try writer.delete(schema, keys: keys.batch) }
    }
}

extension [ManagedEntity] {
    /// The entities of each schema together, in the order in which the schemas come up.
    fileprivate var groupedBySchema: [[ManagedEntity]] {
        var groups: [[ManagedEntity]] = []
        var positions: [EntitySchema: Int] = [:]
        for entity in self {
            if let position = positions[entity.schema] {
                groups[position].append(entity)
            } else {
                positions[entity.schema] = groups.count
                groups.append([entity])
            }
        }
        return groups
    }
}
