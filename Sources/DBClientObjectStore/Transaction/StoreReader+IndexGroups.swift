import CLMDB
import DBClientCore

// Groups of which an index alone tells: its keys, and how many rows each has.
extension StoreReader {
    /// Returns the different values of a field over the rows of a query, ascending, nil first, each with the number of its
    /// rows: read from an index alone.
    ///
    /// Nil where no index of the field tells the rows of the query from all others.
    func countsByIndex(
        of column: Int,
        _ query: RowQuery,
        _ store: EntityStore
    ) throws -> [(value: StorageValue, count: Int)]? {
        let type = query.entity.fields[column].type
        guard query.limit == nil, query.offset == 0, type != .data,
            let index = store.indexes.first(where: { $0.columns == [column] })
        else { return nil }
        let catalog = environment.catalog
        if try index.canTruncate && catalog.hasShortenedKeys(index, transaction) { return nil }
        guard let ranges = try planner(query, store).exactRanges(of: index) else { return nil }
        let cursor = try takeCursor(index.table)
        defer { giveBack(cursor, index.table) }
        // A visitor of the caller's may write, which moves what a cursor is on: so all is read before.
        var counts: [(value: StorageValue, count: Int)] = []
        func add(_ key: MDB_val, _ count: Int) {
            counts.append((StorageValue(IndexStore.value(of: key, type)), count))
        }
        for range in ranges {
            if range.isOneKey {
                try range.lower.withUnsafeBytes { key in
                    let key = MDB_val(key)
                    if try cursor.find(key) != nil { add(key, try cursor.valueCount()) }
                }
            } else {
                try forEachKey(of: range, cursor, add)
            }
        }
        return counts
    }

    /// Visits groups by a field that are no more than counted, where an index alone tells them, and returns whether it did.
    func groupByIndex(
        _ grouping: RowGrouping,
        _ query: RowQuery,
        _ store: EntityStore,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws -> Bool {
        guard grouping.keys.count == 1, let key = grouping.keys.first, key.isOwnField,
            grouping.allTerms.allSatisfy({ $0 == .count }),
            let counts = try countsByIndex(of: key.column, query, store)
        else { return false }
        var row = [Slot](repeating: .null, count: 1 + grouping.terms.count)
        for (value, count) in counts {
            let number = Slot.integer(Int64(count))
            guard grouping.condition.holds({ _ in number }) else { continue }
            try value.withSlot { slot in
                row[0] = slot
                for place in row.indices.dropFirst() { row[place] = number }
                try row.withUnsafeBufferPointer(visit)
            }
        }
        return true
    }
}

extension IndexStore {
    /// Returns the value of a whole key of an index of one field, whose type is not data; it borrows from the key.
    fileprivate static func value(of key: MDB_val, _ type: FieldType) -> Slot {
        let bytes = key.bytes
        guard let first = bytes.first, first != 0 else { return .null }
        let value = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        func word() -> UInt64 {
            UInt64(bigEndian: value.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        }
        switch type.slotKind {
        case .null: return .null
        case .integer: return .integer(Int64(bitPattern: word() ^ 1 << 63))
        case .real:
            let bits = word()
            return .real(Double(bitPattern: bits >> 63 == 0 ? ~bits : bits ^ 1 << 63))
        // Without the zero byte that ends it.
        case .text: return .text(UnsafeRawBufferPointer(rebasing: value.dropLast()))
        case .data: return .data(value)
        }
    }
}
