import CLMDB
import DBClientCore

// Running a plan: walking its ranges, filtering on the stored bytes, sorting what has to be.
extension StoreReader {
    func plan(_ query: RowQuery, _ store: EntityStore) throws -> Plan {
        var statistics = MDB_stat()
        try check(mdb_stat(transaction, store.table, &statistics), store.entity)
        return try Planner(
            query,
            store,
            rowCount: statistics.ms_entries,
            countRows: { index, range in
                range.isOneKey
                    ? try self.countValues(of: range, index)
                    : try self.estimateValues(of: range, index, rowCount: statistics.ms_entries)
            },
            hasShortenedKeys: { index in
                try self.environment.catalog.hasShortenedKeys(index, self.transaction)
            }
        ).plan()
    }

    /// Calls a function with the records of a query, in its order, its limit and offset applied.
    func selectRows(
        of query: RowQuery,
        _ store: EntityStore,
        _ body: (Record) throws -> Bool
    ) throws {
        guard query.limit != 0 else { return }
        let plan = try plan(query, store)
        let layout = store.layout
        let predicate = RecordPredicate(query.condition, layout, of: query.entity)
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
            return
        }
        let sorter = RecordSorter(query, layout, in: self)
        try forEachRecord(plan, store) { value in
            let record = try Record(value.bytes, layout)
            if predicate.matches(record) { try sorter.add(record) }
            return true
        }
        try sorter.forEach(layout, body)
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
        var walk = TableWalk(cursor, pageSize: pageSize)
        while try walk.advance(), try body(walk.value) {}
    }

    private func forEachFound(
        _ plan: Plan,
        _ store: EntityStore,
        _ body: (MDB_val) throws -> Bool
    ) throws {
        let cursor = try takeCursor(store.table)
        defer { giveBack(cursor, store.table) }
        switch plan.source {
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
                let goesOn = try walkIndex(
                    index,
                    indexCursor,
                    range,
                    isReversed: plan.isReversed,
                    isFixed: store.hasIntegerKey
                ) { primaryKey in
                    guard let record = try cursor.find(primaryKey) else {
                        throw DBClientError(
                            .corrupt,
                            "An index names a record that is not there.",
                            entity: store.entity.name
                        )
                    }
                    return try body(record)
                }
                guard goesOn else { return }
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
        var walk = TableWalk(cursor, from: bounds.lower, pageSize: pageSize)
        while try walk.advance(), !bounds.isPast(walk.key) {
            guard try body(walk.value) else { return false }
        }
        return true
    }

    /// Calls a function with each primary key of a range of an index.
    ///
    /// Backwards, keys descend while
    /// the primary keys of each still ascend.
    private func walkIndex(
        _ index: IndexStore,
        _ cursor: Cursor,
        _ range: KeyRange,
        isReversed: Bool,
        isFixed: Bool,
        _ body: (MDB_val) throws -> Bool
    ) throws -> Bool {
        var lower = KeyWriter()
        defer { lower.deallocate() }
        range.lower.withUnsafeBytes { lower.append($0) }
        var key = lower.value
        var primaryKey = MDB_val()
        if range.isOneKey {
            guard try cursor.move(MDB_SET_KEY, &key, &primaryKey) else { return true }
            return try walkValues(cursor, &key, &primaryKey, isFixed: isFixed, body)
        }
        if isReversed {
            var isThere = try moveToLast(cursor, range, &key, &primaryKey)
            while isThere, !isBelow(key, range) {
                // The cursor is on the key's last value; its first is wanted.
                guard try cursor.move(MDB_FIRST_DUP, &key, &primaryKey) else { return true }
                guard try walkValues(cursor, &key, &primaryKey, isFixed: isFixed, body) else {
                    return false
                }
                isThere = try cursor.move(MDB_PREV_NODUP, &key, &primaryKey)
            }
            return true
        }
        var isThere = try cursor.move(
            key.mv_size == 0 ? MDB_FIRST : MDB_SET_RANGE,
            &key,
            &primaryKey
        )
        while isThere, !isPast(key, range) {
            guard try body(primaryKey) else { return false }
            isThere = try cursor.move(MDB_NEXT, &key, &primaryKey)
        }
        return true
    }

    /// Calls a function with each value of the key that the cursor is on, from its first.
    private func walkValues(
        _ cursor: Cursor,
        _ key: inout MDB_val,
        _ value: inout MDB_val,
        isFixed: Bool,
        _ body: (MDB_val) throws -> Bool
    ) throws -> Bool {
        guard isFixed else {
            repeat {
                guard try body(value) else { return false }
            } while try cursor.move(MDB_NEXT_DUP, &key, &value)
            return true
        }
        // Values of one size come a page at a time.
        var page = MDB_val()
        var isThere = try cursor.move(MDB_GET_MULTIPLE, &key, &page)
        // A key's only value stands by itself, on no page of values. LMDB then returns none, or after
        // a step back the page of the key that the cursor came from.
        guard page.mv_size > 0,
            page.mv_data.loadUnaligned(as: UInt64.self)
                == value.mv_data.loadUnaligned(as: UInt64.self)
        else { return try body(value) }
        while isThere {
            for offset in stride(from: 0, to: page.mv_size, by: 8) {
                guard try body(MDB_val(page.mv_data + offset, 8)) else { return false }
            }
            isThere = try cursor.move(MDB_NEXT_MULTIPLE, &key, &page)
        }
        return true
    }

    func isPast(_ key: MDB_val, _ range: KeyRange) -> Bool {
        guard let upper = range.upper else { return false }
        return upper.withUnsafeBytes { compareKeys(key.bytes, $0) >= 0 }
    }

    private func isBelow(_ key: MDB_val, _ range: KeyRange) -> Bool {
        range.lower.withUnsafeBytes { compareKeys(key.bytes, $0) < 0 }
    }

    private func moveToLast(
        _ cursor: Cursor,
        _ range: KeyRange,
        _ key: inout MDB_val,
        _ value: inout MDB_val
    ) throws -> Bool {
        guard let upper = range.upper else { return try moveToLast(cursor, &key, &value) }
        return try upper.withUnsafeBytes { upper in
            key = MDB_val(upper)
            return try cursor.move(MDB_SET_RANGE, &key, &value)
                ? try cursor.move(MDB_PREV, &key, &value)
                : try moveToLast(cursor, &key, &value)
        }
    }

    /// Moves to the last key of an index, by way of its name: of a cursor that `MDB_LAST` has placed LMDB
    /// says that nothing follows, even when it has gone back to the first value of the key.
    private func moveToLast(
        _ cursor: Cursor,
        _ key: inout MDB_val,
        _ value: inout MDB_val
    ) throws -> Bool {
        guard try cursor.move(MDB_LAST, &key, &value) else { return false }
        return try cursor.move(MDB_SET_KEY, &key, &value)
    }
}
