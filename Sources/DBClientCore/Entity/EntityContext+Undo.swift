// Calls that change several entities, of which one that throws changes none.
extension EntityContext {
    /// Runs a call that makes entities of values, or changes some to be like them.
    ///
    /// Entities in whose place the values come are deleted before, which writes all that waits. What the
    /// call itself does is taken back when it throws.
    func changing<Model: Stored, Value>(
        like values: [Model],
        _ body: () throws -> Value
    ) throws -> Value {
        _ = try openWriter()
        if deletionsWaiting > 0, try replacesDeleted(values, 0) { try flush() }
        return try undoing(body)
    }

    /// Whether a value, or one that it holds or refers to, has the key of an entity whose deletion waits.
    func replacesDeleted<Model: Stored>(_ values: [Model], _ depth: Int) throws -> Bool {
        let schema = Model.schema.entity
        try schema.validate()
        let encoded = try EncodedModels(values)
        let isAny = values.indices.contains { row in
            EntityKey(schema, encoded.values(of: row)).map { isWaiting($0) } ?? false
        }
        for branch in encoded.graph?.branches ?? [] where branch.collection == nil {
            guard let target = branch.relationship.target else { continue }
            let keys = values.indices.lazy.flatMap { branch.keys(of: $0) }
            if keys.contains(where: { isWaiting(EntityKey(entity: target, values: $0)) }) {
                return true
            }
        }
        // What goes deeper is refused.
        if isAny || depth >= RelationshipLoader.maximumDepth { return isAny }
        return try (encoded.graph?.collections ?? []).contains {
            try $0.replacesDeleted(in: self, depth + 1)
        }
    }

    /// Writes what waits where an entity comes to hold one by its key whose deletion waits: that is gone by
    /// then.
    func settle(_ keys: [EntityKey]) throws {
        // What a call makes of values was seen to before.
        guard deletionsWaiting > 0, changes == nil, keys.contains(where: isWaiting) else { return }
        try flush()
    }

    /// Whether the deletion of the entity with a key waits.
    private func isWaiting(_ key: EntityKey) -> Bool {
        known[key]?.entity?.isPendingDeletion ?? false
    }

    private func undoing<Value>(_ body: () throws -> Value) throws -> Value {
        guard changes == nil else { return try body() }
        changes = ContextChanges(pendingCount: pending.count)
        defer { changes = nil }
        do {
            return try body()
        } catch {
            changes?.undo(in: self)
            throw error
        }
    }
}

/// The changes that a call has made so far, and how to undo them.
struct ContextChanges {
    /// How many entities waited to be written before.
    private let pendingCount: Int
    private var seen: Set<ObjectIdentifier> = []
    private var restorations: [() -> Void] = []
    private var made: [ManagedEntity] = []

    init(pendingCount: Int) {
        self.pendingCount = pendingCount
    }

    /// Notes an entity that is about to change.
    mutating func note(_ entity: ManagedEntity) {
        guard seen.insert(ObjectIdentifier(entity)).inserted else { return }
        restorations.append(entity.restoration())
    }

    /// Notes an entity that is new.
    mutating func note(made entity: ManagedEntity) {
        guard seen.insert(ObjectIdentifier(entity)).inserted else { return }
        made.append(entity)
    }

    fileprivate func undo(in context: EntityContext) {
        for entity in made {
            if let key = entity.key, context.known[key]?.entity === entity {
                context.known[key] = nil
            }
            entity.isPending = false
            entity.markGone()
        }
        let added = context.pending.count - pendingCount
        if added > 0 { context.pending.removeLast(added) }
        for restore in restorations { restore() }
    }
}
