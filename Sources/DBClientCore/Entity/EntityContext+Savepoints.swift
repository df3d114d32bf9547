// Savepoints of the transaction, which an undone one takes back entities to.
extension EntityContext {
    /// Takes back what was done to entities since a place of the journal, once the store is as it was: one
    /// that was new is gone, one that was replaced comes back, and the rest are as their rows are.
    func rollback(to mark: Int) {
        let gone = journal?.undo(to: mark, in: self) ?? []
        for entity in pending { entity.isPending = false }
        let left = pending + known.values.compactMap(\.entity)
        pending = []
        deletionsWaiting = 0
        var bySchema: [ObjectIdentifier: [EntityKey: ManagedEntity]] = [:]
        for entity in left where !gone.contains(ObjectIdentifier(entity)) {
            guard let key = entity.key else {
                entity.markGone()
                continue
            }
            entity.state = .stored
            entity.isStale = true
            entity.held.removeAll()
            bySchema[ObjectIdentifier(entity.schema), default: [:]][key] = entity
        }
        // A row that comes later under the key of one that is gone is another, so all are looked up now.
        // What cannot be read is read again when it is next used.
        if writer?.hasFailed ?? true { return }
        for entities in bySchema.values { try? settle(entities) }
    }

    /// Reads the rows of entities of one schema.
    private func settle(_ entities: [EntityKey: ManagedEntity]) throws {
        guard let schema = entities.values.first?.schema else { return }
        var left = entities
        try openReader().lookUp(keyRows(schema, Array(entities.keys))) { batch in
            for row in 0..<batch.count {
                let key = EntityKey(schema, batch.values(at: row))
                if let key { left.removeValue(forKey: key)?.take(batch, row) }
            }
        }
        for entity in left.values { entity.markGone() }
    }
}

/// The changes to entities while a savepoint is open, which a rollback undoes.
struct SavepointJournal {
    private enum Entry {
        /// An entity that was inserted since the savepoint.
        case made(WeakEntity)
        /// An entity whose row is gone was replaced by another with its key.
        case displaced(WeakEntity, by: WeakEntity)
    }

    private var entries: [Entry] = []

    /// The place up to which a savepoint that begins now is undone.
    var mark: Int { entries.count }

    mutating func note(made entity: ManagedEntity) {
        entries.append(.made(WeakEntity(entity: entity)))
    }

    mutating func note(_ former: ManagedEntity?, givesWayTo entity: ManagedEntity) {
        guard let former, former !== entity else { return }
        entries.append(.displaced(WeakEntity(entity: former), by: WeakEntity(entity: entity)))
    }

    /// Takes back what was noted since a place, and returns the entities that are gone with it.
    fileprivate mutating func undo(
        to mark: Int,
        in context: EntityContext
    ) -> Set<ObjectIdentifier> {
        var gone: [ManagedEntity] = []
        for entry in entries[mark...].reversed() {
            switch entry {
            case .made(let made):
                if let entity = made.entity { gone.append(entity) }
            case .displaced(let former, let latter):
                guard let former = former.entity, let key = former.key else { continue }
                if let entity = latter.entity { gone.append(entity) }
                context.known[key] = WeakEntity(entity: former)
            }
        }
        entries.removeSubrange(mark...)
        for entity in gone {
            if let key = entity.key, context.known[key]?.entity === entity {
                context.known[key] = nil
            }
            entity.markGone()
        }
        // One that was inserted in the savepoint and replaced in it has no row either.
        return Set(gone.map { ObjectIdentifier($0) })
    }
}
