/// Deletes values and sees to what held them: each relationship by its rule.
///
/// Values that are denied count when everything else is done, so a call may delete what holds each
/// other in circles.
final class Deletion {
    private let writer: any EngineWriter
    private let registry: RelationshipRegistry
    private var denied: [(referrer: RelationshipRegistry.Referrer, keys: RowBuffer)] = []
    private var pending: [(entity: EntitySchema, keys: RowBuffer)] = []

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
        let count = try deleteRows(entity, keys)
        try finish()
        return count
    }

    /// Deletes values of several entities together, which may deny each other's deletion.
    func delete(_ groups: [(EntitySchema, RowBuffer)]) throws {
        for (entity, keys) in groups { _ = try deleteRows(entity, keys) }
        try finish()
    }

    private func finish() throws {
        while let next = pending.popLast() { _ = try deleteRows(next.entity, next.keys) }
        for (referrer, keys) in denied {
            guard try writer.count(holders(referrer, of: keys).limited(to: 1)) > 0 else {
                continue
            }
            throw DBClientError(
                .deletionDenied,
                "The value is still held by another, which denies its deletion.",
                entity: referrer.owner.name,
                field: referrer.relationship.name
            )
        }
    }

    /// Deletes the values of a query and returns how many there were.
    func delete(_ query: RowQuery) throws -> Int {
        let keys = try writer.keys(of: query)
        return keys.count == 0 ? 0 : try delete(query.entity, keys: keys)
    }

    private func deleteRows(_ entity: EntitySchema, _ keys: RowBuffer) throws -> Int {
        for link in try registry.links(of: entity, in: writer) {
            _ = try writer.delete(
                RowQuery(link.entity, where: .keys(link.owner, in: keys))
            )
        }
        let count = try keys.withBatch { try writer.delete(entity, keys: $0) }
        if count == 0 { return 0 }
        for referrer in try registry.referrers(of: entity, in: writer) {
            switch referrer.relationship.rule {
            case .weak: break
            case .deny: denied.append((referrer, keys))
            case .nullify: try nullify(referrer, keys)
            case .cascade: try cascade(referrer, keys)
            }
        }
        return count
    }

    /// The rows that hold values with some keys: the owners themselves, or their links.
    private func holders(
        _ referrer: RelationshipRegistry.Referrer,
        of keys: RowBuffer
    ) -> RowQuery {
        referrer.relationship.holders(of: keys, in: referrer.owner)
    }

    private func nullify(_ referrer: RelationshipRegistry.Referrer, _ keys: RowBuffer) throws {
        let holders = holders(referrer, of: keys)
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

    private func cascade(_ referrer: RelationshipRegistry.Referrer, _ keys: RowBuffer) throws {
        var owners = KeyTable(referrer.owner)
        let key = KeyColumns(referrer.relationship.link?.owner ?? referrer.owner.primaryKey)
        try writer.scan(holders(referrer, of: keys)) { batch in
            for row in 0..<batch.count {
                _ = owners.insert(key.key(of: batch.slots + row * batch.columnCount))
            }
            return true
        }
        if owners.count > 0 { pending.append((referrer.owner, owners.keys)) }
    }
}

extension RelationshipSchema {
    /// Returns the rows that hold values with some keys: rows of the owner, or of the link entity.
    func holders(of keys: RowBuffer, in owner: EntitySchema) -> RowQuery {
        guard let link else { return RowQuery(owner, where: .keys(columns, in: keys)) }
        return RowQuery(link.entity, where: .keys(link.target, in: keys))
    }
}

extension EngineReader {
    /// Returns the primary keys of the rows of a query.
    func keys(of query: RowQuery) throws -> RowBuffer {
        let keys = RowBuffer(query.entity, columns: query.entity.primaryKey)
        let keyColumns = KeyColumns(query.entity.primaryKey)
        try scan(query) { batch in
            for row in 0..<batch.count {
                keys.append(copying: keyColumns.key(of: batch.slots + row * batch.columnCount))
            }
            return true
        }
        return keys
    }
}

extension RowQuery {
    fileprivate func limited(to limit: Int) -> RowQuery {
        var copy = self
        copy.limit = limit
        return copy
    }
}
