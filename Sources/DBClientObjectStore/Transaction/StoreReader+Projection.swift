import DBClientCore

// Looking at some fields of records in the map, the others left where they are.
extension StoreReader {
    final func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        guard query.limit != 0, let store = try store(for: query.entity) else { return }
        let query = try query.resolved(by: self)
        if mustCopyRows {
            let rows = RowBuffer(query.entity, columns: columns)
            try selectRows(of: query, store) { record in
                try rows.append(copying: record)
                return true
            }
            if rows.count > 0 { _ = try rows.withBatch(visit) }
            return
        }
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        let plan = try plan(query, store)
        let count = plan.knownCount(of: query)
        let rows = ProjectedRows(columns, of: query.entity, expecting: count)
        let isFixed = store.layout.isFixed(columns)
        try selectRows(of: query, by: plan, store) { record in
            try record.verify(readsFixedPartAlone: isFixed)
            rows.add { record.slot($0) }
            if !rows.isFull { return true }
            let goesOn = try rows.flush(visit)
            if plan.isOrdered { transaction.unpin(to: pinCount) }
            return goesOn
        }
        _ = try rows.flush(visit)
    }

    /// Visits the groups of the rows of a query, without a copy: nothing is written while they are put
    /// together.
    final func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        guard grouping.query.limit != 0, let store = try store(for: grouping.query.entity) else {
            return
        }
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        let query = try grouping.query.resolved(by: self).unorderedUnlessLimited
        if try groupByIndex(grouping, query, store, visit) { return }
        let columns = grouping.columns
        let rows = ProjectedRows(columns, of: grouping.query.entity)
        var grouper = RowGrouper(grouping, over: columns, in: self)
        let isFixed = store.layout.isFixed(columns)
        try selectRows(of: query, store) { record in
            try record.verify(readsFixedPartAlone: isFixed)
            rows.add { record.slot($0) }
            if rows.isFull {
                _ = try rows.flush {
                    try grouper.add($0)
                    return true
                }
            }
            return true
        }
        _ = try rows.flush {
            try grouper.add($0)
            return true
        }
        try grouper.forEach(visit)
    }
}
