import CLMDB
import DBClientCore

// Counting by an index's own counts, without reading a record.
extension StoreReader {
    /// Returns the number of primary keys of a whole key of an index.
    func countValues(of range: KeyRange, _ index: IndexStore) throws -> Int {
        let cursor = try takeCursor(index.table)
        defer { giveBack(cursor, index.table) }
        return try range.lower.withUnsafeBytes { key in
            try cursor.find(MDB_val(key)) == nil ? 0 : try cursor.valueCount()
        }
    }

    /// Returns about how many primary keys a range of an index has: exactly when it has few keys,
    /// otherwise at least a tenth of the rows.
    func estimateValues(
        of range: KeyRange,
        _ index: IndexStore,
        rowCount: Int
    ) throws -> Int {
        let cursor = try takeCursor(index.table)
        defer { giveBack(cursor, index.table) }
        var total = 0
        var keys = 0
        let isWhole = try walkKeys(of: range, cursor) { _, values in
            total += values
            keys += 1
            return keys < 32
        }
        return isWhole ? total : max(total, rowCount / 10)
    }

    /// Calls a function with each key of a range and the number of its primary keys.
    func forEachKey(
        of range: KeyRange,
        _ cursor: Cursor,
        _ body: (MDB_val, Int) throws -> Void
    ) throws {
        _ = try walkKeys(of: range, cursor) { key, values in
            try body(key, values)
            return true
        }
    }

    /// Calls a function with each key of a range and the number of its primary keys while it wants more, and returns
    /// whether it reached the end.
    private func walkKeys(
        of range: KeyRange,
        _ cursor: Cursor,
        _ body: (MDB_val, Int) throws -> Bool
    ) throws -> Bool {
        try range.lower.withUnsafeBytes { lower in
            var key = MDB_val(lower)
            var value = MDB_val()
            var isThere = try cursor.move(
                key.mv_size == 0 ? MDB_FIRST : MDB_SET_RANGE,
                &key,
                &value
            )
            while isThere, !range.isPast(key) {
                guard try body(key, cursor.valueCount()) else { return false }
                isThere = try cursor.move(MDB_NEXT_NODUP, &key, &value)
            }
            return true
        }
    }

    /// Counts the rows of a plan whose ranges are the whole condition, without reading them.
    func countExactly(_ plan: Plan, _ store: EntityStore) throws -> Int {
        var total = 0
        switch plan.source {
        case .table(let ranges) where ranges == [.all]: return try rowCount(store)
        case .table:
            try forEachRecord(plan, store) { _ in
                total += 1
                return true
            }
        case .search(let found, _): return try found.count()
        case .index(let index, let ranges):
            let cursor = try takeCursor(index.table)
            defer { giveBack(cursor, index.table) }
            for range in ranges {
                if range.isOneKey {
                    total += try countValues(of: range, index)
                    continue
                }
                try forEachKey(of: range, cursor) { _, values in total += values }
            }
        }
        return total
    }
}
