/// Values that were refetched because commits concern them.
struct FoundRows: Sendable {
    /// The entries that the query finds.
    let entries: [ResultEntry]
    /// All of them, found or not.
    let identities: Set<ArraySlice<UInt8>>
    /// No commit after this number is in it.
    var mayInclude: UInt64
}

extension ContentCoder {
    /// Reads the values that commits concern, as one snapshot has them; nil where they are too many.
    func read(
        _ concerned: AffectedKeys,
        of query: RowQuery,
        atMost limit: Int,
        _ orderKeys: OrderKeyEncoder,
        in transaction: ReadTransaction,
        _ hub: ChangeHub
    ) throws -> FoundRows? {
        let reader = try transaction.reader()
        let entity = query.entity
        var identities = concerned.identities
        // The first statement decides what the snapshot has.
        if let first = identities.first {
            let key = OrderKey.primaryKeys(of: CollectionOfOne(first), entity)
            try key.withBatch { try reader.get(entity, keys: $0) { _, _ in } }
        } else {
            _ = try reader.count(RowQuery(entity, limit: 1))
        }
        let mayInclude = hub.begunNumber
        let keyColumns = Array(entity.primaryKey.indices)
        for condition in concerned.conditions {
            try reader.select(entity.primaryKey, of: RowQuery(entity, where: condition)) { batch in
                for row in 0..<batch.count {
                    identities.insert(OrderKey.identity(of: batch, row, keyColumns)[...])
                }
                return identities.count <= limit
            }
            if identities.count > limit { return nil }
        }
        var found = RowQuery(entity, orderings: query.orderings)
        let keys = OrderKey.primaryKeys(of: identities, entity)
        found.condition = .conjunction(.keys(entity.primaryKey, in: keys), query.condition)
        let entries =
            identities.isEmpty
            ? [] : try self.entries(of: found, areAll: false, orderKeys, in: transaction)
        return FoundRows(entries: entries, identities: identities, mayInclude: mayInclude)
    }
}
