/// Deletes values and sees to what held them: each relationship by its rule.
///
/// First it is found out what else is deleted. Then what holds a deleted value is changed, and then values go,
/// holders before what they hold, so that a foreign key of the database finds nothing in its way. Values that are
/// denied count when everything else is done, so a call may delete what holds each other in circles.
final class Deletion {
    private let writer: any EngineWriter
    private let registry: RelationshipRegistry

    init(_ writer: any EngineWriter, _ registry: RelationshipRegistry) {
        self.writer = writer
        self.registry = registry
    }

    /// Whether deleting values of an entity concerns no row but their own.
    func isPlain(_ entity: EntitySchema) throws -> Bool {
        try entity.isFlat && registry.referrers(of: entity, in: writer).isEmpty
            && registry.links(of: entity, in: writer).isEmpty
    }

    /// Deletes the values with some keys and returns how many there were.
    func delete(_ entity: EntitySchema, keys: RowBuffer) throws -> Int {
        let changesHolders = try registry.referrers(of: entity, in: writer).contains {
            $0.relationship.rule == .nullify || $0.relationship.rule == .cascade
        }
        // A row that refers to a value that is not stored stays as it is.
        let stored = changesHolders ? try keysThatAreThere(entity, keys) : keys
        if stored.count == 0 { return 0 }
        let count = try deleteAll([(entity, stored)])
        return changesHolders ? stored.count : count
    }

    /// Deletes values of several entities together, which may deny each other's deletion.
    func delete(_ groups: [(EntitySchema, RowBuffer)]) throws {
        _ = try deleteAll(groups)
    }

    /// Deletes the values of a query and returns how many there were.
    func delete(_ query: RowQuery) throws -> Int {
        let keys = try writer.keys(of: query)
        if keys.count == 0 { return 0 }
        _ = try deleteAll([(query.entity, keys)])
        return keys.count
    }

    private func keysThatAreThere(_ entity: EntitySchema, _ keys: RowBuffer) throws -> RowBuffer {
        var table = KeyTable(entity)
        for row in 0..<keys.count { _ = table.insert(keys, row: row) }
        let found = RowBuffer(entity, columns: entity.primaryKey)
        let columns = KeyColumns(entity.primaryKey)
        try writer.lookUp(table.keys) { batch in
            for row in 0..<batch.count {
                found.append(copying: columns.key(of: batch.slots + row * batch.columnCount))
            }
        }
        return found
    }

    /// Deletes values and returns how many rows of the first entity there were, with those that hold others.
    private func deleteAll(_ groups: [(EntitySchema, RowBuffer)]) throws -> Int {
        let graph = DeletionGraph(writer, registry)
        for (entity, keys) in groups { graph.add(entity, keys) }
        try graph.follow()
        for (entity, keys) in graph.members {
            for link in try registry.links(of: entity, in: writer) {
                _ = try writer.delete(
                    RowQuery(link.entity, where: .keys(link.owner, in: keys))
                )
            }
            for referrer in try registry.referrers(of: entity, in: writer)
            where referrer.relationship.rule == .nullify {
                try nullify(referrer, keys)
            }
        }
        let first = groups[0].0.exactName
        let (order, isCircular) = try graph.order()
        var count = 0
        func deleteRows() throws {
            for (entity, keys) in order {
                let deleted = try keys.withBatch { try writer.delete(entity, keys: $0) }
                if entity.exactName == first { count += deleted }
            }
        }
        if isCircular {
            try writer.deferringForeignKeys(to: order.map(\.0), deleteRows)
        } else {
            try deleteRows()
        }
        for (entity, keys) in graph.members {
            for referrer in try registry.referrers(of: entity, in: writer)
            where referrer.relationship.rule == .deny {
                try deny(referrer, keys)
            }
        }
        return count
    }

    private func deny(_ referrer: RelationshipRegistry.Referrer, _ keys: RowBuffer) throws {
        let holders = referrer.relationship.holders(of: keys, in: referrer.owner)
        guard try writer.count(holders.limited(to: 1)) > 0 else { return }
        throw DBClientError(
            .deletionDenied,
            "The value must not be deleted while another refers to it through this relationship.",
            entity: referrer.owner.name,
            field: referrer.relationship.name
        )
    }

    private func nullify(_ referrer: RelationshipRegistry.Referrer, _ keys: RowBuffer) throws {
        let holders = referrer.relationship.holders(of: keys, in: referrer.owner)
        if referrer.relationship.link != nil {
            _ = try writer.delete(holders)
            return
        }
        let nulls = RowBuffer(referrer.owner)
        nulls.append { _ in .null }
        let columns = referrer.relationship.columns.sorted()
        _ = try nulls.withBatch {
            try writer.update(holders, setting: RowAssignments(columns: columns, values: $0))
        }
    }
}

extension RelationshipSchema {
    /// Returns the rows that hold values with some keys: rows of the owner, or of the link entity.
    func holders(of keys: RowBuffer, in owner: EntitySchema) -> RowQuery {
        guard let link else { return RowQuery(owner, where: .keys(columns, in: keys)) }
        return RowQuery(link.entity, where: .keys(link.target, in: keys))
    }
}

extension RowQuery {
    fileprivate func limited(to limit: Int) -> RowQuery {
        var copy = self
        copy.limit = limit
        return copy
    }
}
