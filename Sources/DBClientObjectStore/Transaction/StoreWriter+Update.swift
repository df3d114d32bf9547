import CLMDB
import DBClientCore

extension StoreWriter {
    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        try guarded(entity) {
            let store = try storeForWriting(entity)
            let isWhole = columns.count == entity.columnsBesideKey.count
            try keepingSearches(store) {
                for row in 0..<rows.count {
                    let slots = rows.slots + row * rows.columnCount
                    store.writeKey(ofRow: SlotRow(slots: slots), to: &key)
                    let isFound =
                        try isWhole
                        ? replace(slots, store)
                        : assign(RowAssignments(columns: columns, values: rows.row(row)), store)
                    if !isFound { try missing(row) }
                    try writeFullSearches(store)
                }
            }
        }
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try guarded(rows.entity) {
            let store = try storeForWriting(rows.entity)
            let keyColumn = store.entity.primaryKey[0]
            let isGenerated = store.entity.keyGeneration == .generated && store.hasIntegerKey
            if !isGenerated { forgetGreatestKey(store) }
            try takingKeys(store) {
                try keepingSearches(store) {
                    if isGenerated { try noteGivenKeys(rows, store) }
                    for row in 0..<rows.count {
                        let slots = rows.batch.slots + row * rows.batch.columnCount
                        let isNew = slots[keyColumn].isNull
                        if isNew {
                            let key = try takeNextKey(store)
                            rows.replace(row: row, column: keyColumn, with: .integer(key))
                        }
                        store.writeKey(ofRow: SlotRow(slots: slots), to: &key)
                        let isUpdated = try !isNew && replace(slots, store)
                        if !isUpdated { try add(slots, store) }
                        outcome(row, !isUpdated)
                        try writeFullSearches(store)
                    }
                    if isGenerated { try saveGreatestKey(store) }
                }
            }
        }
    }

    /// Inserts one row whose primary key, in `key`, must not exist.
    private func add(_ slots: UnsafePointer<Slot>, _ store: EntityStore) throws {
        try checkUnique(SlotRow(slots: slots), store, replacing: nil)
        let size = store.layout.size(of: slots)
        guard key.count <= IndexStore.keyLimit,
            let target = try cursor(store.table)
                .reserve(key.value, count: size, UInt32(MDB_NOOVERWRITE))
        else { throw refusal(of: slots, store) }
        noteWrite()
        store.layout.write(slots, to: target, size: size)
        countWritten(size)
        for index in store.indexes {
            try add(SlotRow(slots: slots), index, cursor(index.table))
        }
        try gatherSearched(SlotRow(slots: slots), store)
    }

    /// Replaces the record of the primary key in `key` and returns whether there was one.
    ///
    /// Only indexes whose values change are touched.
    @inline(__always)
    private func replace(_ slots: UnsafePointer<Slot>, _ store: EntityStore) throws -> Bool {
        guard key.count <= IndexStore.keyLimit else { return false }
        let table = try cursor(store.table)
        guard let value = try table.find(key.value) else { return false }
        return try overwrite(Record(value.bytes, store.layout), with: slots, store, table)
    }

    /// Returns the record at the table's cursor, to be read while several indexes are written.
    ///
    /// The leaf under a cursor stays where it is. A record outside its leaf does not: while one index is
    /// written, LMDB may free the memory that the values of the next one are read from.
    @inline(__always)
    private func kept(_ old: Record, _ store: EntityStore) throws -> Record {
        guard old.count > Self.leafLimit, store.indexes.count > 1 else { return old }
        return try aside(old, store)
    }

    /// A record of this size is in its leaf, whatever its key: two such fit a page of 4,096 bytes, the
    /// smallest there is.
    private static let leafLimit = 1_500

    /// Returns a record where it stays until the next one is moved aside.
    @inline(never)
    private func aside(_ old: Record, _ store: EntityStore) throws -> Record {
        if old.base == UnsafeRawPointer(record.start) { return old }
        let copy = record.reserve(old.count)
        copy.copyMemory(from: old.base, byteCount: old.count)
        return try Record(UnsafeRawBufferPointer(start: copy, count: old.count), store.layout)
    }

    /// Writes a row over the record of the primary key in `key`, at which the table's cursor is.
    @inline(__always)
    private func overwrite(
        _ old: Record,
        with slots: UnsafePointer<Slot>,
        _ store: EntityStore,
        _ table: Cursor
    ) throws -> Bool {
        let row = SlotRow(slots: slots)
        if store.changesIndexes(row, old) {
            try checkUnique(row, store, replacing: old)
            try gatherReplaced(old, with: row, store)
            let old = try kept(old, store)
            for index in store.indexes where index.differs(row, old) {
                try remove(old, index, store)
                try add(row, index, cursor(index.table))
            }
        }
        // The indexes are other tables, so the cursor is still at the record.
        let size = RecordLayout.size(store.layout.size(of: slots), over: old.count)
        guard
            let target = try table.reserve(key.value, count: size, UInt32(MDB_CURRENT))
        else { return false }
        noteWrite()
        store.layout.write(slots, to: target, size: size)
        countWritten(size)
        return true
    }

    /// Writes some fields of the record of the primary key in `key`.
    private func assign(_ assignments: RowAssignments, _ store: EntityStore) throws -> Bool {
        guard key.count <= IndexStore.keyLimit else { return false }
        let table = try cursor(store.table)
        guard let value = try table.find(key.value) else { return false }
        if store.indexes(anyOf: assignments.columns) {
            return try assignIndexed(assignments, store, table, value)
        }
        let old = try Record(value.bytes, store.layout)
        try old.verify()
        // Put together aside, because the old record's bytes end with the write.
        let size = try store.layout.size(of: assignments, over: old)
        let copy = record.reserve(size)
        store.layout.write(assignments, over: old, to: copy, size: size)
        guard try table.put(key.value, MDB_val(copy, size), UInt32(MDB_CURRENT)) else {
            return false
        }
        noteWrite()
        countWritten(size)
        return true
    }

    /// Writes some fields, of which some are in an index, of the record that the table's cursor stands
    /// on.
    private func assignIndexed(
        _ assignments: RowAssignments,
        _ store: EntityStore,
        _ table: Cursor,
        _ value: MDB_val
    ) throws -> Bool {
        // The old record moves aside, because its bytes end with the first write.
        let old = try aside(Record(value.bytes, store.layout), store)
        try old.verify()
        let slots = takeRow(store.layout.fieldCount)
        defer { giveBack(slots) }
        old.fill(slots, store.layout)
        for column in assignments.columns { slots[column] = assignments.values[0, column] }
        return try overwrite(old, with: slots, store, table)
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        try guarded(query.entity) {
            let store = try storeForWriting(query.entity)
            let keys = try primaryKeys(of: query, store)
            defer { keys.deallocate() }
            try keepingSearches(store) {
                for index in 0..<keys.count {
                    key.removeAll()
                    key.append(keys[index])
                    _ = try assign(assignments, store)
                    try writeFullSearches(store)
                }
            }
            return keys.count
        }
    }

    // MARK: Deleting

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        try guarded(entity) {
            let store = try storeForWriting(entity)
            var count = 0
            try keepingSearches(store) {
                for row in 0..<keys.count {
                    store.writeKey(keys.slots + row * keys.columnCount, to: &key)
                    if try deleteRecord(store) { count += 1 }
                    try writeFullSearches(store)
                }
            }
            return count
        }
    }

    func delete(_ query: RowQuery) throws -> Int {
        try guarded(query.entity) {
            let store = try storeForWriting(query.entity)
            if query.condition == .constant(true), query.limit == nil, query.offset == 0 {
                return try deleteAll(store)
            }
            let keys = try primaryKeys(of: query, store)
            defer { keys.deallocate() }
            try keepingSearches(store) {
                for index in 0..<keys.count {
                    key.removeAll()
                    key.append(keys[index])
                    _ = try deleteRecord(store)
                    try writeFullSearches(store)
                }
            }
            return keys.count
        }
    }

    /// Deletes the record of the primary key in `key` and returns whether there was one.
    private func deleteRecord(_ store: EntityStore) throws -> Bool {
        guard key.count <= IndexStore.keyLimit else { return false }
        let table = try cursor(store.table)
        guard let value = try table.find(key.value) else { return false }
        let old = try kept(Record(value.bytes, store.layout), store)
        try gatherDeleted(old, store)
        for index in store.indexes { try remove(old, index, store) }
        try table.delete()
        noteWrite()
        return true
    }

    /// Empties every table of an entity at the cost of its pages, not its rows.
    private func deleteAll(_ store: EntityStore) throws -> Int {
        let count = try rowCount(store)
        try transaction.empty(store.table, store.entity)
        for index in store.indexes { try transaction.empty(index.table) }
        for search in store.searches { try transaction.empty(search.table) }
        noteWrite()
        return count
    }

    /// The encoded primary keys of a query's rows, copied before any of them is written.
    private func primaryKeys(of query: RowQuery, _ store: EntityStore) throws -> KeyList {
        var keys = KeyList()
        do {
            try selectRows(of: query.resolved(by: self), store) { record in
                store.writeKey(ofRow: record, to: &otherKey)
                keys.append(otherKey.bytes)
                return true
            }
        } catch {
            keys.deallocate()
            throw error
        }
        return keys
    }
}

/// A list of encoded keys in one piece of memory.
private struct KeyList {
    private var writer = KeyWriter(capacity: 4096)
    private var ends: [Int] = []

    var count: Int { ends.count }

    mutating func append(_ key: UnsafeRawBufferPointer) {
        writer.append(key)
        ends.append(writer.count)
    }

    subscript(index: Int) -> UnsafeRawBufferPointer {
        let start = index == 0 ? 0 : ends[index - 1]
        return UnsafeRawBufferPointer(rebasing: writer.bytes[start..<ends[index]])
    }

    func deallocate() {
        writer.deallocate()
    }
}
