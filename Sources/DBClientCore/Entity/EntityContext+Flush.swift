extension EntityContext {
    /// Writes what was changed: new entities in batches, those that others hold first, then changed
    /// fields, then what to-many relationships hold, then deletions.
    ///
    /// Entities of one kind of which the same fields were changed are written by one call. A call that
    /// throws writes nothing, and everything still waits. A new entity that takes over the unique value
    /// of one that is deleted needs a flush between the two.
    ///
    /// What holds a deleted value by a relationship follows its delete rule.
    ///
    /// - Throws: `.duplicateKey` and `.uniqueViolation` as for any write, `.constraintViolation` when a
    ///   required field of a new entity is not set or new entities require each other in a circle,
    ///   `.danglingReference` when one refers to a value that is not stored, `.invalidValue` when one comes
    ///   to hold itself by value, `.notFound` when the row of a changed entity is gone, `.deletionDenied`
    ///   when a relationship denies a deletion.
    public func flush() throws {
        if pending.isEmpty { return }
        let writer = try openWriter()
        let written = pending.filter { $0.state == .deleted || $0.hasChanges }
        var flush = EntityFlush(written, writer, registry)
        try flush.register()
        try writer.atomically { try flush.run() }
        for entity in written where entity.state != .deleted && entity.key == nil {
            if let key = flush.key(of: entity) { know(entity, as: key) }
        }
        for entity in written where entity.state != .deleted {
            if let key = entity.key { entity.markStored(key) }
        }
        // Those that hold each other in circles would keep each other otherwise.
        for entity in written where entity.state == .deleted { entity.held.removeAll() }
        for entities in written.filter({ $0.state == .stored }).groupedBySchema
        where try writer.keepsOtherValues(of: entities[0].schema) {
            for entity in entities { entity.isStale = true }
        }
        for entity in pending { entity.isPending = false }
        pending = []
        deletionsWaiting = 0
        guard flush.hasFollowedRules else { return }
        for entity in known.values.compactMap(\.entity) where entity.state == .stored {
            entity.isStale = true
        }
    }
}

/// The writes of one flush, and the keys that the store makes on the way.
struct EntityFlush {
    let writer: any EngineWriter
    private let registry: RelationshipRegistry
    private let inserted: [ManagedEntity]
    private let changed: [ManagedEntity]
    private let deleted: [[ManagedEntity]]
    private var keys: [ObjectIdentifier: EntityKey] = [:]
    /// Whether rows beside those of the entities may have been changed by rules of deletion.
    private(set) var hasFollowedRules = false

    init(
        _ entities: [ManagedEntity],
        _ writer: any EngineWriter,
        _ registry: RelationshipRegistry
    ) {
        self.writer = writer
        self.registry = registry
        inserted = entities.filter { $0.state == .inserted }
        changed = entities.filter { $0.state == .stored }
        deleted = entities.filter { $0.state == .deleted }.groupedBySchema.reversed()
    }

    /// Tells the store of the relationships of what is about to be written.
    func register() throws {
        for schema in Set((inserted + changed).map(\.schema)) {
            try registry.register(schema, with: writer)
        }
    }

    /// Returns the key of an entity, which this flush may have generated.
    func key(of entity: ManagedEntity) -> EntityKey? {
        entity.key ?? keys[ObjectIdentifier(entity)]
    }

    mutating func run() throws {
        var order = InsertionOrder(inserted)
        while let group = try order.next() { try insert(group) }
        for group in changed.groupedByColumns(and: order.postponed) { try update(group) }
        try writeLinks()
        try checkHeld()
        try delete()
        try checkCircles()
    }

    /// Returns the row of an entity with the keys of the entities that it holds; those that are still to
    /// be made are null.
    private func row(of entity: ManagedEntity) throws -> [StorageValue] {
        var values = entity.values
        for (index, target) in entity.held.ones where target.key == nil {
            let relationship = entity.schema.relationships[index]
            guard target.state != .deleted else { throw unwritten(entity, relationship) }
            let key = key(of: target)?.values
            for (position, column) in relationship.columns.enumerated() {
                values[column] = key?[position] ?? .null
            }
        }
        return values
    }

    /// Inserts entities of one schema by one call of the engine.
    private mutating func insert(_ entities: [ManagedEntity]) throws {
        let schema = entities[0].schema
        let rows = RowBuffer(schema, capacity: entities.count)
        for entity in entities {
            var values = try row(of: entity)
            // The zero in place of which the store makes a key.
            if entity.key == nil { values[schema.primaryKey[0]] = .integer(0) }
            try rows.append(values)
        }
        rows.fillGeneratedKeys()
        try schema.checkShards(of: rows.batch)
        try writer.insert(rows)
        rows.withBatch { batch in
            for (row, entity) in entities.enumerated() where entity.key == nil {
                keys[ObjectIdentifier(entity)] = EntityKey(
                    entity: schema,
                    values: schema.primaryKey.map { StorageValue(batch[row, $0]) }
                )
            }
        }
    }

    /// Writes the same columns of entities of one schema.
    private func update(_ group: ColumnGroup) throws {
        if group.columns.isEmpty { return try checkThere(group.entities) }
        let schema = group.entities[0].schema
        let rows = RowBuffer(schema, capacity: group.entities.count)
        for entity in group.entities {
            var values = try row(of: entity)
            for (column, value) in zip(schema.primaryKey, key(of: entity)?.values ?? []) {
                values[column] = value
            }
            try rows.append(values)
        }
        try schema.checkShards(of: rows.batch, columns: group.columns)
        try rows.withBatch { batch in
            try writer.update(batch, of: schema, setting: group.columns) {
                throw missing(group.entities[$0])
            }
        }
    }

    /// Throws when the row of an entity of which only lists were changed is gone.
    private func checkThere(_ entities: [ManagedEntity]) throws {
        let keys = try keyRows(entities[0].schema, entities.compactMap(\.key))
        var isThere = [Bool](repeating: false, count: entities.count)
        try keys.withBatch { batch in
            try writer.get(entities[0].schema, keys: batch) { position, _ in
                isThere[position] = true
            }
        }
        if let gone = isThere.firstIndex(of: false) { throw missing(entities[gone]) }
    }

    private mutating func delete() throws {
        let deletion = Deletion(writer, registry)
        let groups = try deleted.map { entities in
            (entities[0].schema, try keyRows(entities[0].schema, entities.compactMap(\.key)))
        }
        if try groups.allSatisfy({ try deletion.isPlain($0.0) }) {
            for (schema, keys) in groups {
                _ = try keys.withBatch { try writer.delete(schema, keys: $0) }
            }
        } else {
            hasFollowedRules = true
            try deletion.delete(groups)
        }
    }

    // MARK: What is held

    /// Writes the elements of to-many relationships that were changed.
    private func writeLinks() throws {
        for entities in (inserted + changed).groupedBySchema where !entities[0].schema.isFlat {
            for (index, relationship) in entities[0].schema.relationships.enumerated() {
                guard let link = relationship.link else { continue }
                let owners = entities.filter { $0.held.lists[index]?.isChanged ?? false }
                var old = owners.filter { !($0.held.lists[index]?.stored.isEmpty ?? true) }
                let new = inserted.filter { $0.schema === entities[0].schema }
                if !new.isEmpty, try writer.mayKeepLinksOfDeleted(link.entity) { old += new }
                if !old.isEmpty {
                    let keys = try keyRows(entities[0].schema, old.compactMap { key(of: $0) })
                    _ = try writer.delete(
                        RowQuery(link.entity, where: .keys(link.owner, in: keys))
                    )
                }
                let rows = RowBuffer(link.entity)
                for owner in owners { try append(owner, index, link, to: rows) }
                try link.checkShards(of: rows, owner: entities[0].schema, relationship.name)
                if rows.count > 0 { try writer.insert(rows) }
            }
        }
    }

    private func append(
        _ owner: ManagedEntity,
        _ index: Int,
        _ link: LinkSchema,
        to rows: RowBuffer
    ) throws {
        let ownerKey = key(of: owner)?.values ?? []
        for (place, element) in (owner.held.lists[index]?.elements ?? []).enumerated() {
            let position: [StorageValue] = link.position == nil ? [] : [.integer(Int64(place))]
            let target = try key(of: element, in: owner, index)
            try rows.append(ownerKey + position + target.values)
        }
    }

    private func key(
        of element: HeldElement,
        in owner: ManagedEntity,
        _ index: Int
    ) throws -> EntityKey {
        if let key = element.key ?? element.entity.flatMap({ key(of: $0) }) { return key }
        throw unwritten(owner, owner.schema.relationships[index])
    }

    /// Throws when a written entity refers to a value that is not stored.
    private func checkHeld() throws {
        let graph = GraphWriter(writer, registry)
        for entities in (inserted + changed).groupedBySchema {
            let schema = entities[0].schema
            for (index, relationship) in schema.relationships.enumerated()
            where relationship.rule != .weak {
                guard let target = relationship.target else { continue }
                let keys = RowBuffer(target, columns: target.primaryKey)
                for entity in entities {
                    for key in try written(entity, index) { try keys.append(key.values) }
                }
                if keys.count > 0 { try graph.checkThere(keys, of: relationship, schema) }
            }
        }
    }

    /// Throws when entities came to hold themselves by value, which could not be read.
    private func checkCircles() throws {
        for entities in (inserted + changed).groupedBySchema
        where entities[0].schema.mayHoldInCircles {
            let schema = entities[0].schema
            let byValue = schema.relationships.indices.filter {
                !schema.relationships[$0].isByReference
            }
            let keys = RowBuffer(schema, columns: schema.primaryKey)
            for entity in entities {
                guard let key = key(of: entity),
                    try byValue.contains(where: { try !written(entity, $0).isEmpty })
                else { continue }
                try keys.append(key.values)
            }
            if keys.count == 0 { continue }
            let rows = RowBuffer(schema)
            try writer.lookUp(keys) { rows.append(copying: $0) }
            try RelationshipLoader(writer).checkDepth(of: rows)
        }
    }

    /// Returns the keys that were written of what an entity holds through a relationship.
    private func written(_ entity: ManagedEntity, _ index: Int) throws -> [EntityKey] {
        let relationship = entity.schema.relationships[index]
        if relationship.link != nil {
            guard let list = entity.held.lists[index], list.isChanged else { return [] }
            return try list.elements.map { try key(of: $0, in: entity, index) }
        }
        let columns = entity.changedColumns
        guard relationship.columns.contains(where: columns.contains) else { return [] }
        if let target = entity.heldTarget(index), let key = key(of: target) { return [key] }
        return entity.heldKey(index).map { [$0] } ?? []
    }

    // MARK: Errors

    private func missing(_ entity: ManagedEntity) -> DBClientError {
        DBClientError(
            .notFound,
            "The row of a changed entity must be stored; it is gone.",
            entity: entity.schema.name,
            key: entity.key.map { entity.schema.describe(key: $0.values) }
        )
    }

    private func unwritten(
        _ entity: ManagedEntity,
        _ relationship: RelationshipSchema
    ) -> DBClientError {
        DBClientError(
            .danglingReference,
            "A related entity must not be deleted before it is written.",
            entity: entity.schema.name,
            field: relationship.name
        )
    }
}
