// What calls on entities are made of.
extension EntityContext {
    /// Throws unless the entity is of this context, the transaction is open and the row is not deleted.
    func check(_ entity: ManagedEntity) throws {
        guard entity.context === self else {
            throw DBClientError(
                .invalidRequest,
                "The entity belongs to another context.",
                entity: entity.schema.name
            )
        }
        _ = try openReader()
        if entity.state == .deleted {
            throw DBClientError(.notFound, "The entity was deleted.", entity: entity.schema.name)
        }
    }

    /// Reads the row of an entity.
    func reload(_ entity: ManagedEntity) throws {
        let reader = try openReader()
        var isFound = false
        if let key = entity.key {
            let keys = try keyRows(entity.schema, [key])
            try reader.get(entity.schema, keys: keys.batch) { _, row in
                entity.take(row, 0)
                isFound = true
            }
        }
        guard isFound else {
            throw DBClientError(
                .notFound,
                "The entity's row is not stored.",
                entity: entity.schema.name,
                key: entity.key.map { "\($0.values)" }
            )
        }
    }

    /// Returns for each key the entity that has it, or nil; one call reads all that are not in use.
    package func lookUp<Model: Stored>(
        _ type: Model.Type,
        keys: [Model.PrimaryKey]
    ) throws -> [ManagedEntity?] {
        let reader = try openReader()
        let entity = try usable(Model.schema.entity)
        let wanted = try storedKeys(type, keys)
        var found: [EntityKey: ManagedEntity] = [:]
        var missing: [EntityKey] = []
        for key in wanted {
            if let entity = inUse(key) { found[key] = entity } else { missing.append(key) }
        }
        if !missing.isEmpty {
            let rows = try keyRows(entity, missing)
            try reader.get(entity, keys: rows.batch) { position, row in
                found[missing[position]] = self.entity(entity, of: row, 0)
            }
        }
        return wanted.map { key in found[key].flatMap { $0.state == .deleted ? nil : $0 } }
    }

    /// Returns the entities of stored values that were just read.
    package func entities<Model: Stored>(of values: [Model]) throws -> [ManagedEntity] {
        _ = try openReader()
        let rows = RowBuffer(try usable(Model.schema.entity))
        try Model.encode(values, in: values.indices, to: rows)
        return values.indices.map { entity(rows.entity, of: rows.batch, $0) }
    }

    /// Takes back what was done to entities, and reads each again when it is next used.
    func rollback() {
        for entity in pending { entity.isPending = false }
        for entity in pending + known.values.compactMap(\.entity) {
            entity.state = .stored
            entity.isStale = true
        }
        pending = []
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
                "The transaction only reads.",
                hint: "Change entities in a write transaction."
            )
        }
        return writer
    }

    func writable(_ entity: EntitySchema) throws -> EntitySchema {
        _ = try openWriter()
        return try usable(entity)
    }

    /// Throws unless a row is the whole value.
    func usable(_ entity: EntitySchema) throws -> EntitySchema {
        try entity.validate()
        guard entity.isFlat else {
            throw DBClientError(
                .unsupported,
                "A model with relationships has no live rows.",
                entity: entity.name,
                hint: "Read and write its values, or keep the keys in fields of their own."
            )
        }
        return entity
    }

    func insert(_ schema: EntitySchema, _ values: [StorageValue]) throws -> ManagedEntity {
        let entity = ManagedEntity(schema, values, .inserted, self)
        if let key = EntityKey(schema, values) {
            if let other = inUse(key) {
                guard other.state == .deleted else {
                    throw DBClientError(
                        .duplicateKey,
                        "The primary key exists already.",
                        entity: schema.name,
                        key: "\(key.values)"
                    )
                }
                // The row goes before it comes again.
                try flush()
            }
            know(entity, as: key)
        }
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
    private func inUse(_ key: EntityKey) -> ManagedEntity? {
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
