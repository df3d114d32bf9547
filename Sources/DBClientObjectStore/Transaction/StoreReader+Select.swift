import CLMDB
import DBClientCore

// Running a plan: walking its ranges, filtering on the stored bytes, sorting what has to be.
extension StoreReader {
    func plan(_ query: RowQuery, _ store: EntityStore) throws -> Plan {
        let plan = try planner(query, store).plan()
        if store.searches.isEmpty { return plan }
        return try searchPlan(query, store, insteadOf: plan) ?? plan
    }

    func planner(_ query: RowQuery, _ store: EntityStore) throws -> Planner {
        let rowCount = try rowCount(store)
        return Planner(
            query,
            store,
            rowCount: rowCount,
            countRows: { index, range in
                range.isOneKey
                    ? try self.countValues(of: range, index)
                    : try self.estimateValues(of: range, index, rowCount: rowCount)
            },
            hasShortenedKeys: { index in
                try self.environment.catalog.hasShortenedKeys(index, self.transaction)
            }
        )
    }

    /// The number of an entity's rows.
    final func rowCount(_ store: EntityStore) throws -> Int {
        try transaction.statistics(of: store.table, store.entity).ms_entries
    }

    /// Calls a function with the records of a query, in its order, its limit and offset applied.
    func selectRows(
        of query: RowQuery,
        _ store: EntityStore,
        _ body: (Record) throws -> Bool
    ) throws {
        try selectRows(of: query, by: plan(query, store), store, body)
    }

    /// Calls a function with the records of a query, in its order, its limit and offset applied.
    func selectRows(
        of query: RowQuery,
        by plan: Plan,
        _ store: EntityStore,
        _ body: (Record) throws -> Bool
    ) throws {
        guard query.limit != 0 else { return }
        let layout = store.layout
        let predicate = RecordPredicate(
            plan.filter ?? query.condition,
            layout,
            of: query.entity
        )
        defer { withExtendedLifetime((predicate, layout)) {} }
        do {
            if plan.isOrdered {
                var skip = query.offset
                var rest = query.limit ?? Int.max
                try forEachRecord(plan, store) { value in
                    let record = try Record(value.bytes, layout)
                    guard predicate.matches(record) else { return true }
                    if skip > 0 {
                        skip -= 1
                        return true
                    }
                    rest -= 1
                    return try body(record) && rest > 0
                }
                return try predicate.check()
            }
            let sorter = RecordSorter(query, layout, in: self)
            try forEachRecord(plan, store) { value in
                let record = try Record(value.bytes, layout)
                if predicate.matches(record) { try sorter.add(record) }
                return true
            }
            try predicate.check()
            try sorter.forEach(layout, body)
        } catch {
            throw query.entity.naming(error)
        }
    }

    /// Calls a function with each record of a plan's ranges, unfiltered.
    ///
    /// The loop over a whole table, where a call for each record would cost as much as the record, is
    /// inlined with its body.
    @inline(__always)
    func forEachRecord(
        _ plan: Plan,
        _ store: EntityStore,
        _ body: (MDB_val) throws -> Bool
    ) throws {
        guard !plan.isReversed, case .table(let ranges) = plan.source, ranges == [.all] else {
            return try forEachFound(plan, store, body)
        }
        let cursor = try takeCursor(store.table)
        defer { giveBack(cursor, store.table) }
        var walk = TableWalk(
            cursor,
            pageSize: pageSize,
            rowCount: try rowCount(store),
            isInteger: store.hasIntegerKey
        )
        while try walk.advance() {
            guard try body(walk.value) else { return }
        }
        try walk.checkEnd()
    }

    private func forEachFound(
        _ plan: Plan,
        _ store: EntityStore,
        _ body: (MDB_val) throws -> Bool
    ) throws {
        if case .search(let found, let search) = plan.source {
            return try forEachFound(by: found, search, store, body)
        }
        let cursor = try takeCursor(store.table)
        defer { giveBack(cursor, store.table) }
        switch plan.source {
        case .search: break
        case .table(let ranges):
            for range in ranges {
                guard
                    try walkTable(store, cursor, range, isReversed: plan.isReversed, body)
                else { return }
            }
        case .index(let index, let ranges):
            let indexCursor = try takeCursor(index.table)
            defer { giveBack(indexCursor, index.table) }
            for range in ranges {
                var walk = IndexWalk(
                    indexCursor,
                    range,
                    isReversed: plan.isReversed,
                    isFixed: store.hasIntegerKey
                )
                while try walk.advance() {
                    guard let record = try cursor.find(walk.primaryKey) else {
                        throw DBClientError(
                            .corrupt,
                            "An index names a record that is not there.",
                            entity: store.entity.name
                        )
                    }
                    guard try body(record) else { return }
                }
            }
        }
    }

    /// Returns whether the body wants to go on.
    private func walkTable(
        _ store: EntityStore,
        _ cursor: Cursor,
        _ range: KeyRange,
        isReversed: Bool,
        _ body: (MDB_val) throws -> Bool
    ) throws -> Bool {
        let bounds = TableBounds(range, hasIntegerKey: store.hasIntegerKey)
        defer { bounds.deallocate() }
        if range.isOneKey {
            guard bounds.lower.mv_size <= IndexStore.keyLimit,
                let value = try cursor.find(bounds.lower)
            else { return true }
            return try body(value)
        }
        if isReversed {
            var key = bounds.lower
            var value = MDB_val()
            var isThere = try bounds.moveToLast(cursor, &key, &value)
            while isThere, !bounds.isBelow(key) {
                guard try body(value) else { return false }
                isThere = try cursor.move(MDB_PREV, &key, &value)
            }
            return true
        }
        var walk = TableWalk(
            cursor,
            from: bounds.lower,
            pageSize: pageSize,
            rowCount: try rowCount(store),
            isInteger: store.hasIntegerKey
        )
        while try walk.advance(), !bounds.isPast(walk.key) {
            guard try body(walk.value) else { return false }
        }
        return true
    }
}
