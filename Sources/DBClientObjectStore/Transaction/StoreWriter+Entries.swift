import CLMDB
import DBClientCore

extension StoreWriter {
    /// Throws when a unique index holds a row's values for another row.
    ///
    /// The row's own primary key is in `key`. Of the record that the row replaces, if any, unchanged
    /// values are the row's own.
    @inline(__always)
    func checkUnique(
        _ row: some SlotSource,
        _ store: EntityStore,
        replacing old: Record?
    ) throws {
        for index in store.indexes where index.schema.isUnique {
            if let old, !index.differs(row, old) { continue }
            try checkUnique(row, store, index)
        }
    }

    private func checkUnique(
        _ row: some SlotSource,
        _ store: EntityStore,
        _ index: IndexStore
    ) throws {
        if index.writeKey(ofRow: row, to: &otherKey) { return }
        let indexCursor = try cursor(index.table)
        var indexKey = otherKey.value
        var primaryKey = MDB_val()
        var isThere = try indexCursor.move(MDB_SET_KEY, &indexKey, &primaryKey)
        while isThere {
            let isOwn = Slot.compare(.data(primaryKey.bytes), .data(key.bytes)) == 0
            // Keys that were shortened may be alike while the values differ.
            if !isOwn, let record = try record(store, primaryKey), !index.differs(row, record) {
                throw DBClientError(
                    .uniqueViolation,
                    "Another value has this already.",
                    entity: store.entity.name,
                    field: index.columns.map { store.entity.fields[$0].name }
                        .joined(separator: ", "),
                    key: store.entity.describe(
                        key: store.entity.primaryKey.map { StorageValue(row.slot($0)) }
                    )
                )
            }
            isThere = try indexCursor.move(MDB_NEXT_DUP, &indexKey, &primaryKey)
        }
    }

    /// Adds a new row to every index that is not unique; of many, keeps what is to be added.
    func gatherEntries(_ batch: RowBatch, _ store: EntityStore) throws {
        if batch.count == 1, rowsWithoutEntries == 0 {
            let row = SlotRow(slots: batch.slots)
            for index in store.indexes where !index.schema.isUnique {
                try add(row, index, cursor(index.table))
            }
            return
        }
        while entries.count < store.indexes.count { entries.append(IndexEntries()) }
        for (place, index) in store.indexes.enumerated() where !index.schema.isUnique {
            for row in 0..<batch.count {
                let row = SlotRow(slots: batch.slots + row * batch.columnCount)
                store.writeKey(ofRow: row, to: &key)
                _ = index.writeKey(ofRow: row, to: &otherKey)
                entries[place].append(key: otherKey.value, value: key.value)
            }
        }
        rowsWithoutEntries += batch.count
        if rowsWithoutEntries >= Self.entryLimit { try addEntries(store) }
    }

    /// How many rows wait for their entries at most: enough to sort, few enough to stay small beside the
    /// rows themselves.
    private static let entryLimit = 131_072

    /// Adds the entries that were kept to their indexes, in key order.
    func addEntries(_ store: EntityStore) throws {
        if rowsWithoutEntries == 0 { return }
        for (place, index) in store.indexes.enumerated() where !index.schema.isUnique {
            let indexCursor = try cursor(index.table)
            let isAppending = try isEmpty(indexCursor)
            var hasShortened = false
            var group = KeyGroup()
            try entries[place].drain { key, value, repeats in
                if !repeats { try limitPages() }
                if key.mv_size == IndexStore.keyLimit { hasShortened = true }
                if store.hasIntegerKey {
                    if !repeats { try group.add(to: indexCursor, isAppending) }
                    group.append(value, of: key)
                } else {
                    let flags = isAppending ? (repeats ? MDB_APPENDDUP : MDB_APPEND) : 0
                    if try !indexCursor.put(key, value, UInt32(flags)) {
                        // Not in ascending order after all: primary keys of one value came unsorted.
                        _ = try indexCursor.put(key, value)
                    }
                }
            }
            try group.add(to: indexCursor, isAppending)
            if hasShortened { try environment.catalog.setHasShortenedKeys(index, transaction) }
        }
        rowsWithoutEntries = 0
    }

    /// Forgets what was to be added.
    func forgetInsert() {
        sortsInsert = false
        if rowsWithoutEntries == 0 { return }
        rowsWithoutEntries = 0
        for place in entries.indices { entries[place].removeAll() }
    }

    private func isEmpty(_ cursor: Cursor) throws -> Bool {
        var key = MDB_val()
        var value = MDB_val()
        return try !cursor.move(MDB_FIRST, &key, &value)
    }

    /// Adds a row, whose primary key is in `key`, to an index.
    @inline(__always)
    func add(_ row: some SlotSource, _ index: IndexStore, _ indexCursor: Cursor) throws {
        _ = index.writeKey(ofRow: row, to: &otherKey)
        if otherKey.count == IndexStore.keyLimit {
            try environment.catalog.setHasShortenedKeys(index, transaction)
        }
        _ = try indexCursor.put(otherKey.value, key.value)
    }

    /// Removes a row, whose primary key is in `key`, from an index.
    @inline(__always)
    func remove(_ row: some SlotSource, _ index: IndexStore, _ store: EntityStore) throws {
        let indexCursor = try cursor(index.table)
        _ = index.writeKey(ofRow: row, to: &otherKey)
        guard try indexCursor.find(otherKey.value, key.value) else {
            throw DBClientError(
                .corrupt,
                "An index lacks a record that is there.",
                entity: store.entity.name
            )
        }
        try indexCursor.delete()
    }

    /// Fills a new index from the table.
    func fill(_ index: IndexStore, of store: EntityStore) throws {
        let table = try takeCursor(store.table)
        defer { giveBack(table, store.table) }
        let indexCursor = try takeCursor(index.table)
        defer { giveBack(indexCursor, index.table) }
        var tableKey = MDB_val()
        var value = MDB_val()
        var isThere = try table.move(MDB_FIRST, &tableKey, &value)
        while isThere {
            let record = try Record(value.bytes, store.layout)
            store.writeKey(ofRow: record, to: &key)
            if index.schema.isUnique { try checkUnique(record, store, index) }
            try add(record, index, indexCursor)
            try limitPages()
            isThere = try table.move(MDB_NEXT, &tableKey, &value)
        }
    }
}

/// The integer primary keys of the rows that have one value in an index, on their way there.
///
/// LMDB takes many at once, and looks for the value once.
private struct KeyGroup {
    private var value = MDB_val()
    private var keys: [UInt64] = []
    private var isAscending = true

    /// So many go at once, that what a call changes stays a few pages.
    private static let limit = 128

    mutating func append(_ key: MDB_val, of value: MDB_val) {
        let key = key.mv_data.load(as: UInt64.self)
        if let last = keys.last, last > key { isAscending = false }
        self.value = value
        keys.append(key)
    }

    /// Adds the keys to an index, after its last one where they are to be appended, and forgets them.
    mutating func add(to cursor: Cursor, _ isAppending: Bool) throws {
        if !isAscending { keys.sort() }
        defer {
            keys.removeAll(keepingCapacity: true)
            isAscending = true
        }
        try keys.withUnsafeBytes { keys in
            var next = 0
            while next < keys.count {
                let isFirst = next == 0
                let end = isFirst ? 8 : min(next + 8 * Self.limit, keys.count)
                let part = UnsafeRawBufferPointer(rebasing: keys[next..<end])
                let flags = isAppending ? (isFirst ? MDB_APPEND : MDB_APPENDDUP) : 0
                try cursor.put(value, words: part, UInt32(flags))
                next = end
            }
        }
    }
}

extension IndexStore {
    /// Whether two rows differ in a column of the index.
    @inline(__always)
    func differs(_ left: some SlotSource, _ right: some SlotSource) -> Bool {
        for column in columns where Slot.compare(left.slot(column), right.slot(column)) != 0 {
            return true
        }
        return false
    }
}
