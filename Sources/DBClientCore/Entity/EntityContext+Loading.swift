// What entities hold, loaded for all entities of a kind that are in use: one look-up for a relationship,
// however many entities there are.
extension EntityContext {
    /// Loads what entities hold through a to-one relationship, for one of them and those in use beside it.
    func loadTargets(_ index: Int, for entity: ManagedEntity) throws {
        guard let target = entity.schema.relationships[index].target else { return }
        let owners = [entity] + alike(entity).filter { $0.state != .deleted && !$0.isStale }
        let wanted = owners.compactMap { owner in
            owner.heldTarget(index) == nil ? owner.heldKey(index).map { (owner, $0) } : nil
        }
        let found = try entities(target, with: wanted.map(\.1))
        for (owner, key) in wanted { owner.held.ones[index] = found[key] }
    }

    /// Loads the keys that a to-many relationship holds, for an entity and those in use beside it.
    func loadLists(_ index: Int, for entity: ManagedEntity) throws {
        let reader = try openReader()
        let relationship = entity.schema.relationships[index]
        guard let link = relationship.link, let target = relationship.target else { return }
        let isSet = relationship.kind == .set
        if entity.state == .inserted {
            entity.held.lists[index] = HeldList(isSet: isSet)
            return
        }
        let owners =
            [entity]
            + alike(entity).filter {
                $0.state == .stored && !$0.isStale && $0.held.lists[index] == nil
            }
        var keys: [EntityKey: [EntityKey]] = [:]
        let rows = try keyRows(entity.schema, owners.compactMap(\.key))
        try reader.scan(RowQuery(link.entity, where: .keys(link.owner, in: rows))) { batch in
            for row in 0..<batch.count {
                let owner = EntityKey(
                    entity: entity.schema,
                    values: link.owner.map { StorageValue(batch[row, $0]) }
                )
                let element = EntityKey(
                    entity: target,
                    values: link.target.map { StorageValue(batch[row, $0]) }
                )
                keys[owner, default: []].append(element)
            }
            return true
        }
        for owner in owners {
            let stored = owner.key.flatMap { keys[$0] } ?? []
            owner.held.lists[index] = HeldList(
                stored: stored,
                elements: stored.map { .key($0) },
                isSet: isSet
            )
        }
    }

    /// Loads the entities that a to-many relationship holds, for an entity and those in use beside it.
    func loadElements(_ index: Int, for entity: ManagedEntity) throws {
        guard let target = entity.schema.relationships[index].target else { return }
        let owners = [entity] + alike(entity).filter { $0.held.lists[index] != nil && !$0.isStale }
        let wanted = owners.flatMap { owner in
            (owner.held.lists[index]?.elements ?? []).compactMap { element in
                element.entity == nil ? element.key : nil
            }
        }
        if wanted.isEmpty { return }
        let found = try entities(target, with: wanted)
        for owner in owners {
            guard let list = owner.held.lists[index] else { continue }
            owner.held.lists[index]?.elements = list.elements.map { element in
                guard case .key(let key) = element, let entity = found[key] else { return element }
                return .entity(entity)
            }
        }
    }
}

extension EntitySchema {
    /// Returns the keys that a row has in those of its to-one relationships of which some columns are written.
    func heldKeys(in row: [StorageValue], writing columns: Range<Int>) -> [EntityKey] {
        relationships.compactMap { relationship in
            guard relationship.columns.contains(where: columns.contains),
                let target = relationship.target
            else { return nil }
            return EntityKey(entity: target, values: relationship.columns.map { row[$0] })
        }
    }
}

extension ManagedEntity {
    /// The key that the columns of a to-one relationship name, or nil.
    func heldKey(_ index: Int) -> EntityKey? {
        let relationship = schema.relationships[index]
        let key = relationship.columns.map { values[$0] }
        guard let target = relationship.target, !key.contains(.null) else { return nil }
        return EntityKey(entity: target, values: key)
    }

    /// The entity of a to-one relationship as far as it is at hand.
    func heldTarget(_ index: Int) -> ManagedEntity? {
        guard let target = held.ones[index] else { return nil }
        return target.key == nil || target.key == heldKey(index) ? target : nil
    }

    /// Returns the entity of a to-one relationship, or nil.
    func target(_ index: Int) throws -> ManagedEntity? {
        try prepare()
        if heldTarget(index) == nil {
            guard heldKey(index) != nil else { return nil }
            try context.loadTargets(index, for: self)
        }
        if let target = heldTarget(index) {
            guard target.state == .deleted else { return target }
            guard target.isPending else { return nil }
            // The rule of the relationship says what becomes of what holds it.
            try context.flush()
            held.ones[index] = nil
            return try self.target(index)
        }
        let relationship = schema.relationships[index]
        guard relationship.readsWithoutMissing else { throw dangling(relationship) }
        return nil
    }

    /// Returns the elements of a to-many relationship.
    func elements(_ index: Int) throws -> [ManagedEntity] {
        try loadList(index)
        if held.lists[index]?.elements.contains(where: { $0.entity == nil }) ?? false {
            try context.loadElements(index, for: self)
        }
        let elements = held.lists[index]?.elements ?? []
        if elements.contains(where: { $0.entity?.isPendingDeletion ?? false }) {
            try context.flush()
            return try self.elements(index)
        }
        let relationship = schema.relationships[index]
        return try elements.compactMap { element in
            if let entity = element.entity, entity.state != .deleted { return entity }
            guard relationship.readsWithoutMissing else { throw dangling(relationship) }
            return nil
        }
    }

    /// Sees to it that the keys of a to-many relationship are at hand.
    func loadList(_ index: Int) throws {
        try prepare()
        if held.lists[index] == nil { try context.loadLists(index, for: self) }
    }

    /// Sets the elements of a to-many relationship.
    func replace(list index: Int, by elements: [HeldElement]) throws {
        try loadList(index)
        context.changes?.note(self)
        var elements = elements
        if schema.relationships[index].kind == .set {
            var keys = Set<EntityKey>()
            var entities = Set<ObjectIdentifier>()
            elements = elements.filter { element in
                if let key = element.key { return keys.insert(key).inserted }
                return element.entity.map { entities.insert(ObjectIdentifier($0)).inserted } ?? true
            }
        }
        held.lists[index]?.elements = elements
        for element in elements { element.entity?.markHeld() }
        noteChange()
    }

    var isPendingDeletion: Bool { state == .deleted && isPending }

    private func dangling(_ relationship: RelationshipSchema) -> DBClientError {
        relationship.dangling(in: schema, key: key?.values)
    }
}
