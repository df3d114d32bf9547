// What calls on entities are made of.
extension EntityContext {
    /// Throws unless the entity is of this context, the transaction is open and the row is not deleted.
    func check(_ entity: ManagedEntity) throws {
        guard entity.context === self else {
            throw DBClientError(
                .invalidRequest,
                "The entity must belong to this context; it belongs to another.",
                entity: entity.schema.name
            )
        }
        _ = try openReader()
        if entity.state == .deleted {
            throw DBClientError(.notFound, "The entity was deleted.", entity: entity.schema.name)
        }
    }

    /// Reads the row of an entity, and with it those of its kind that are to be read again.
    func reload(_ entity: ManagedEntity) throws {
        let reader = try openReader()
        if entity.state == .stored, entity.key != nil {
            var stale: [EntityKey: ManagedEntity] = [:]
            for entity in alike(entity) + [entity] where entity.isStale && entity.state == .stored {
                if let key = entity.key { stale[key] = entity }
            }
            let keys = try keyRows(entity.schema, Array(stale.keys))
            try reader.lookUp(keys) { batch in
                for row in 0..<batch.count {
                    let key = EntityKey(entity.schema, batch.values(at: row))
                    if let key { stale.removeValue(forKey: key)?.take(batch, row) }
                }
            }
            for gone in stale.values { gone.markGone() }
            if entity.state == .stored { return }
        }
        throw DBClientError(
            .notFound,
            "The entity's row must be stored; it was not found.",
            entity: entity.schema.name,
            key: entity.key.map { entity.schema.describe(key: $0.values) }
        )
    }

    /// Returns for each key the entity that has it, or nil; one call reads all that are not in use.
    package func lookUp<Model: Stored>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> [ManagedEntity?] {
        let wanted = try storedKeys(type, keys)
        let found = try entities(Model.schema.entity, with: wanted)
        return wanted.map { key in found[key].flatMap { $0.state == .deleted ? nil : $0 } }
    }

    /// Returns the entities with some keys, deleted ones among them until that is written; one call
    /// reads all that are not in use.
    func entities(
        _ entity: EntitySchema,
        with keys: some Sequence<EntityKey>
    ) throws -> [EntityKey: ManagedEntity] {
        let reader = try openReader()
        try entity.validate()
        var found: [EntityKey: ManagedEntity] = [:]
        var missing: [EntityKey] = []
        var seen = Set<EntityKey>()
        for key in keys where seen.insert(key).inserted {
            if let entity = inUse(key), !entity.isStale {
                found[key] = entity
            } else {
                missing.append(key)
            }
        }
        guard !missing.isEmpty else { return found }
        try reader.lookUp(keyRows(entity, missing)) { batch in
            for row in 0..<batch.count {
                let read = self.entity(entity, of: batch, row)
                if let key = read.key { found[key] = read }
            }
        }
        for key in missing where found[key] == nil { inUse(key)?.markGone() }
        return found
    }

    /// Returns the entities of stored values that were just read.
    package func entities<Model: Stored>(of values: [Model]) throws -> [ManagedEntity] {
        _ = try openReader()
        let schema = Model.schema.entity
        try schema.validate()
        // The row of a value that holds others is more than the value tells.
        guard schema.isFlat else { return try find(Model.self, keys: values.map(\.primaryKey)) }
        let rows = RowBuffer(schema)
        try Model.encode(values, in: values.indices, to: rows)
        return rows.withBatch { batch in values.indices.map { entity(schema, of: batch, $0) } }
    }

    /// Has the entities in use read again whose rows a call beside the context may have changed: those of
    /// an entity's stored name, or all.
    func noteWrite(to entity: EntitySchema? = nil) {
        for known in known.values {
            guard let found = known.entity, found.state == .stored, !found.isPending,
                entity == nil || found.schema.exactName == entity?.exactName
            else { continue }
            found.isStale = true
        }
    }

    /// Returns the other entities in use that are rows of the same table.
    func alike(_ entity: ManagedEntity) -> [ManagedEntity] {
        known.values.compactMap(\.entity).filter {
            $0 !== entity && $0.schema === entity.schema
        }
    }

    /// Remembers that an entity has something to be written.
    func note(_ entity: ManagedEntity) {
        if entity.isPending { return }
        entity.isPending = true
        pending.append(entity)
    }

    func drop(_ entity: ManagedEntity) {
        guard entity.isPending else { return }
        entity.isPending = false
        pending.removeAll { $0 === entity }
    }

    func forget(_ key: EntityKey) {
        if known[key]?.entity == nil { known[key] = nil }
    }

    func know(_ entity: ManagedEntity, as key: EntityKey) {
        entity.key = key
        journal?.note(known[key]?.entity, givesWayTo: entity)
        known[key] = WeakEntity(entity: entity)
    }

    func openReader() throws -> any EngineReader {
        guard let reader else {
            throw DBClientError(
                .transactionEnded,
                "The transaction of the entities has ended.",
                hint: "Use entities only inside the body of their transaction."
            )
        }
        return reader
    }

    func openWriter() throws -> any EngineWriter {
        _ = try openReader()
        guard let writer else {
            throw DBClientError(
                .readOnly,
                "The transaction must be a write to change entities; it only reads.",
                hint: "Change entities in a write transaction."
            )
        }
        return writer
    }

    func writable(_ entity: EntitySchema) throws -> EntitySchema {
        _ = try openWriter()
        try entity.validate()
        return entity
    }

    func insert(_ schema: EntitySchema, _ values: [StorageValue]) throws -> ManagedEntity {
        let entity = ManagedEntity(schema, values, .inserted, self)
        if let key = EntityKey(schema, values) {
            // One that is to be read again may turn out to be gone.
            if inUse(key)?.isStale ?? false { _ = try entities(schema, with: [key]) }
            if let other = inUse(key) {
                guard other.state == .deleted else {
                    throw schema.duplicateKey(key.values)
                }
                // The row goes before it comes again.
                try flush()
            }
            know(entity, as: key)
        }
        changes?.note(made: entity)
        journal?.note(made: entity)
        note(entity)
        return entity
    }

    /// Returns the object of a row, made when the row is not in use.
    func entity(_ schema: EntitySchema, of batch: RowBatch, _ row: Int) -> ManagedEntity {
        let values = batch.values(at: row)
        if let key = EntityKey(schema, values) {
            if let entity = inUse(key) {
                if entity.state == .stored { entity.take(batch, row) }
                return entity
            }
            let entity = ManagedEntity(schema, values, .stored, self)
            know(entity, as: key)
            return entity
        }
        return ManagedEntity(schema, values, .stored, self)
    }

    /// Returns the object of a row, unless its deletion is written and the row may be another by now.
    func inUse(_ key: EntityKey) -> ManagedEntity? {
        guard let entity = known[key]?.entity else { return nil }
        return entity.state == .deleted && !entity.isPending ? nil : entity
    }

    func storedKeys<Model: Stored>(
        _ type: Model.Type,
        _ keys: [Model.PrimaryKey]
    ) throws -> [EntityKey] {
        let entity = Model.schema.entity
        try entity.validate()
        let rows = RowBuffer(entity, columns: entity.primaryKey, capacity: keys.count)
        for key in keys { try Model.encode(key: key, to: rows) }
        return withExtendedLifetime(rows) {
            keys.indices.map { EntityKey(entity: entity, values: rows.batch.values(at: $0)) }
        }
    }
}
