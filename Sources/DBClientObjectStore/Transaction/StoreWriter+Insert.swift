import CLMDB
import DBClientCore

extension StoreWriter {
    func insert(_ rows: RowBuffer) throws {
        try insert(rows) { false }
    }

    func insert(_ rows: RowBuffer, thenThoseOf next: () throws -> Bool) throws {
        try guarded(rows.entity) {
            let store = try storeForWriting(rows.entity)
            defer {
                forgetInsert()
                forgetSearched()
            }
            let isGenerated = store.entity.keyGeneration == .generated && store.hasIntegerKey
            if !isGenerated { forgetGreatestKey(store) }
            var last = try lastKey(store, rows.count)
            try takingKeys(store) {
                repeat {
                    if isGenerated { try makeKeys(rows, store) }
                    try insertRecords(rows.batch, store, &last)
                    try gatherEntries(rows.batch, store)
                    try gatherSearched(rows.batch, store)
                } while try next()
                try addEntries(store)
                try writeSearched(store)
                if isGenerated { try saveGreatestKey(store) }
            }
        }
    }

    /// Writes the records of rows, and their entries in unique indexes.
    private func insertRecords(
        _ batch: RowBatch,
        _ store: EntityStore,
        _ last: inout LastKey
    ) throws {
        let table = try cursor(store.table)
        // Which row of many is refused first for a unique value depends on their order.
        let ascending = store.hasUniqueIndex ? batch.count : ascendingRows(batch, store)
        for row in 0..<ascending {
            try limitPages()
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
            sortsInsert = true
            try insertSorted(ascending..<batch.count, of: batch, store, table, &last)
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
        unsortedRows.removeAll()
        for row in rows {
            store.writeKey(ofRow: SlotRow(slots: batch.slots + row * batch.columnCount), to: &key)
            otherKey.removeAll()
            otherKey.append(byte: 1)
            if store.hasIntegerKey {
                otherKey.append(word: key.value.mv_data.load(as: UInt64.self))
            } else {
                otherKey.append(key.bytes)
            }
            withUnsafeBytes(of: row) {
                unsortedRows.append(key: otherKey.value, value: MDB_val($0))
            }
        }
        var refused: Int?
        try unsortedRows.drain { _, value, repeats in
            let row = value.mv_data.loadUnaligned(as: Int.self)
            let slots = batch.slots + row * batch.columnCount
            store.writeKey(ofRow: SlotRow(slots: slots), to: &key)
            if let first = refused {
                let isRefused =
                    try repeats || key.count > IndexStore.keyLimit || table.find(key.value) != nil
                if isRefused { refused = min(first, row) }
            } else if try put(slots, store, table, &last) {
                noteWrite()
                try limitPages()
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

    private func lastKey(_ store: EntityStore, _ rows: Int) throws -> LastKey {
        guard store.hasIntegerKey, rows > 1 else { return LastKey(integer: 0, isKnown: false) }
        var key = MDB_val()
        var value = MDB_val()
        guard try cursor(store.table).move(MDB_LAST, &key, &value) else {
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
        countWritten(size)
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
        try noteGivenKeys(rows, store)
        for row in 0..<batch.count where batch[row, column].isNull {
            rows.replace(row: row, column: column, with: .integer(try takeNextKey(store)))
        }
    }
}
