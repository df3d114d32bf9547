// Rows that are read again, each reading as one version.

extension GroupedRows {
    /// Reads the groups that are wanted as one version.
    func version(in transaction: ReadTransaction) throws -> ResultVersion {
        let grouping = try plan.grouping.get()
        let bytes = RowBuffer(.constant, columns: [])
        var entries: [ResultEntry] = []
        try plan.run(transaction) { slots in
            let key = GroupShape.key(of: slots, grouping.keys.count, plan.resolvedWindow, bytes)
            let entry = entry(key, slots)
            if let failure = entry.failure { throw failure }
            if !entry.isLeftOut { entries.append(entry) }
        }
        return ResultVersion(ResultTree(entries), RowQuery(grouping.query.entity))
    }

    /// Makes the entry of a group of its keys and terms.
    func entry(_ key: OrderKey, _ slots: UnsafeBufferPointer<Slot>) -> RowEntry<Row> {
        // What is only sorted by has its say in the order, and makes no other row.
        RowEntry(key, slots, slots.prefix(plan.resolvedWindow.askedCount), decode)
    }
}

extension SelectedFields {
    /// Reads the rows that are wanted as one version, in which each has its identity where its fields tell that, and its
    /// position elsewhere.
    func version(in transaction: ReadTransaction) throws -> ResultVersion {
        let query = try plan.query()
        var entries: [ResultEntry] = []
        func add(_ key: OrderKey, _ slots: UnsafeBufferPointer<Slot>) throws {
            let entry = entry(key, slots)
            if let failure = entry.failure { throw failure }
            if !entry.isLeftOut { entries.append(entry) }
        }
        if plan.isOfStoredShape, query.walk == nil, query.orderings.allSatisfy(\.isOwnField) {
            let order = query.orderings
            let width = plan.fields.count
            let fields =
                plan.fields + order.map { .init($0.column) }
                + query.entity.primaryKey.map { .init($0) }
            try transaction.select(fields, of: query) { batch in
                for row in 0..<batch.count {
                    let start = batch.slots + row * batch.columnCount
                    let key = OrderKey(
                        of: UnsafeBufferPointer(
                            start: start + width,
                            count: batch.columnCount - width
                        ),
                        by: order
                    )
                    try add(key, UnsafeBufferPointer(start: start, count: width))
                }
                return true
            }
        } else {
            try plan.run(transaction, keptBy: nil) { batch in
                for row in 0..<batch.count {
                    let slots = UnsafeBufferPointer(
                        start: batch.slots + row * batch.columnCount,
                        count: batch.columnCount
                    )
                    try add(OrderKey(position: entries.count), slots)
                }
            }
        }
        return ResultVersion(ResultTree(entries), RowQuery(query.entity))
    }

    /// Makes the entry of a row of its fields.
    func entry(_ key: OrderKey, _ slots: UnsafeBufferPointer<Slot>) -> RowEntry<Row> {
        RowEntry(key, slots, slots[...], decode)
    }
}

extension OrderKey {
    /// Makes the key of a row of what it is sorted by, followed by its primary key.
    init(of slots: UnsafeBufferPointer<Slot>, by order: [RowOrdering]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 * slots.count)
        for (ordering, slot) in zip(order, slots) {
            OrderKeyEncoder.append(slot, by: ordering, to: &bytes)
        }
        let start = bytes.count
        for slot in slots.dropFirst(order.count) { OrderKey.append(slot, to: &bytes) }
        self.init(bytes: bytes, identityStart: start)
    }

    /// Makes the key of a row that has no other identity than its position.
    init(position: Int) {
        var bytes: [UInt8] = []
        OrderKey.append(.integer(Int64(position)), to: &bytes)
        self.init(bytes: bytes, identityStart: 0)
    }
}
