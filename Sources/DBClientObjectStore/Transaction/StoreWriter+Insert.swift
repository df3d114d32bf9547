import CLMDB
import DBClientCore

extension StoreWriter {
    func insert(_ rows: RowBuffer) throws {
        try guarded {
            let store = try storeForWriting(rows.entity)
            let isGenerated = store.entity.keyGeneration == .generated && store.hasIntegerKey
            if isGenerated { try makeKeys(rows, store) } else { forgetNextKey(store) }
            let batch = rows.batch
            let table = try cursor(store.table)
            var last = try lastKey(table, store, batch.count)
            // Which row of many is refused first for a unique value depends on their order.
            let ascending = store.hasUniqueIndex ? batch.count : ascendingRows(batch, store)
            for row in 0..<ascending {
                let slots = batch.slots + row * batch.columnCount
                store.writeKey(ofRow: SlotRow(slots: slots), to: &key)
                if store.hasUniqueIndex {
                    // A row is refused before any of it is written, for its key first.
                    if try table.find(key.value) != nil { throw refusal(of: slots, store) }
                    try checkUnique(SlotRow(slots: slots), store, replacing: nil)
                }
                guard try put(slots, store, table, &last) else { throw refusal(of: slots, store) }
                noteWrite()
                for index in store.indexes where index.schema.isUnique {
                    try add(SlotRow(slots: slots), index, cursor(index.table))
                }
            }
            if ascending < batch.count {
                try insertSorted(ascending..<batch.count, of: batch, store, table, &last)
            }
            try addToIndexes(batch, store)
            if isGenerated { try saveNextKey(store) }
        }
    }

    /// Returns how many of the first rows have ascending keys.
    private func ascendingRows(_ batch: RowBatch, _ store: EntityStore) -> Int {
        for row in 1..<max(batch.count, 1) {
            var order = 0
            for column in store.entity.primaryKey where order == 0 {
                order = Slot.compare(batch[row - 1, column], batch[row, column])
            }
            if order >= 0 { return row }
        }
        return batch.count
    }

    /// Writes the records of rows in the order of their keys, so that neighbours find their page at hand.
    ///
    /// - Throws: What is wrong with the first, in their own order, of those that cannot be inserted.
    private func insertSorted(
        _ rows: Range<Int>,
        of batch: RowBatch,
        _ store: EntityStore,
        _ table: Cursor,
        _ last: inout LastKey
    ) throws {
        pending.removeAll()
        for row in rows {
            store.writeKey(ofRow: SlotRow(slots: batch.slots + row * batch.columnCount), to: &key)
            otherKey.removeAll()
            otherKey.append(byte: 1)
            if store.hasIntegerKey {
                otherKey.append(word: key.value.mv_data.load(as: UInt64.self))
            } else {
                otherKey.append(key.bytes)
            }
            withUnsafeBytes(of: row) { pending.append(key: otherKey.value, value: MDB_val($0)) }
        }
        var refused: Int?
        try pending.drain { _, value, repeats in
            let row = value.mv_data.loadUnaligned(as: Int.self)
            let slots = batch.slots + row * batch.columnCount
            store.writeKey(ofRow: SlotRow(slots: slots), to: &key)
            if let first = refused {
                let isRefused =
                    try repeats || key.count > IndexStore.keyLimit || table.find(key.value) != nil
                if isRefused { refused = min(first, row) }
            } else if try put(slots, store, table, &last) {
                noteWrite()
            } else {
                refused = row
            }
        }
        if let refused { throw refusal(of: batch.slots + refused * batch.columnCount, store) }
    }

    /// The greatest key of the table while keys keep ascending: rows over it are appended, which
    /// skips the search and fills pages whole.
    private struct LastKey {
        var integer: UInt64
        var isKnown: Bool
    }

    private func lastKey(_ table: Cursor, _ store: EntityStore, _ rows: Int) throws -> LastKey {
        guard store.hasIntegerKey, rows > 1 else { return LastKey(integer: 0, isKnown: false) }
        var key = MDB_val()
        var value = MDB_val()
        guard try table.move(MDB_LAST, &key, &value) else {
            // Nothing is as small as the least integer but itself.
            return LastKey(integer: 0, isKnown: true)
        }
        return LastKey(integer: key.mv_data.loadUnaligned(as: UInt64.self), isKnown: true)
    }

    /// Writes the record of a row, whose primary key is in `key`.
    ///
    /// - Returns: False when the key is taken or too long.
    @inline(__always)
    private func put(
        _ slots: UnsafePointer<Slot>,
        _ store: EntityStore,
        _ table: Cursor,
        _ last: inout LastKey
    ) throws -> Bool {
        guard key.count <= IndexStore.keyLimit else { return false }
        let size = store.layout.size(of: slots)
        var flags = UInt32(MDB_NOOVERWRITE)
        if last.isKnown {
            let integer = key.value.mv_data.loadUnaligned(as: UInt64.self)
            if integer > last.integer {
                flags = UInt32(MDB_APPEND)
                last.integer = integer
            }
        }
        guard let target = try table.reserve(key.value, count: size, flags) else { return false }
        store.layout.write(slots, to: target, size: size)
        return true
    }

    /// Returns what is wrong with the key of a row that cannot be inserted.
    func refusal(of slots: UnsafePointer<Slot>, _ store: EntityStore) -> DBClientError {
        let entity = store.entity
        store.writeKey(ofRow: SlotRow(slots: slots), to: &key)
        if key.count > IndexStore.keyLimit {
            return DBClientError(
                .invalidValue,
                "The primary key is longer than the engine's limit.",
                entity: entity.name
            )
        }
        return entity.duplicateKey(entity.primaryKey.map { StorageValue(slots[$0]) })
    }

    private func makeKeys(_ rows: RowBuffer, _ store: EntityStore) throws {
        let column = store.entity.primaryKey[0]
        let batch = rows.batch
        for row in 0..<batch.count {
            let slot = batch[row, column]
            if slot.isNull {
                rows.replace(row: row, column: column, with: .integer(try takeNextKey(store)))
            } else {
                try noteGivenKey(slot.integer, store)
            }
        }
    }

    // MARK: Indexes

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
                        .joined(separator: ", ")
                )
            }
            isThere = try indexCursor.move(MDB_NEXT_DUP, &indexKey, &primaryKey)
        }
    }

    /// Adds new rows to every index that is not unique: one row at once, many in key order.
    private func addToIndexes(_ batch: RowBatch, _ store: EntityStore) throws {
        for index in store.indexes where !index.schema.isUnique {
            let indexCursor = try cursor(index.table)
            guard batch.count > 1 else {
                try add(SlotRow(slots: batch.slots), index, indexCursor)
                continue
            }
            pending.removeAll()
            var hasShortened = false
            for row in 0..<batch.count {
                let row = SlotRow(slots: batch.slots + row * batch.columnCount)
                store.writeKey(ofRow: row, to: &key)
                _ = index.writeKey(ofRow: row, to: &otherKey)
                if otherKey.count == IndexStore.keyLimit { hasShortened = true }
                pending.append(key: otherKey.value, value: key.value)
            }
            if hasShortened { try environment.catalog.setHasShortenedKeys(index, transaction) }
            let isAppending = try isEmpty(indexCursor)
            try pending.drain { key, value, repeats in
                let flags = isAppending ? (repeats ? MDB_APPENDDUP : MDB_APPEND) : 0
                if try !indexCursor.put(key, value, UInt32(flags)) {
                    // Not in ascending order after all: primary keys of one value came unsorted.
                    _ = try indexCursor.put(key, value)
                }
            }
        }
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
            isThere = try table.move(MDB_NEXT, &tableKey, &value)
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
