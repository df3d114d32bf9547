import CLMDB
import DBClientCore

/// A read transaction: one snapshot, read on the thread that has it, straight from the map.
///
/// It is kept and renewed, because beginning anew costs more than a read. The writer is a reader
/// too, with a write transaction in place of the snapshot. Sendable because the pool hands it to one
/// thread at a time.
class StoreReader: EngineReader, @unchecked Sendable {
    let environment: Environment
    let buffers = RowBuffers()
    var transaction: OpaquePointer
    var key = KeyWriter()
    private var lastStore: EntityStore?
    private var scratch: [SlotBuffer] = []
    private var idleCursors: [MDB_dbi: [OpaquePointer]] = [:]

    init(_ environment: Environment) throws {
        self.environment = environment
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment.handle, nil, UInt32(MDB_RDONLY), &begun))
        guard let begun else { throw lmdbError(MDB_PANIC) }
        transaction = begun
    }

    /// For the writer, whose transaction is not a snapshot.
    init(_ environment: Environment, _ transaction: OpaquePointer) {
        self.environment = environment
        self.transaction = transaction
    }

    deinit {
        key.deallocate()
    }

    /// Takes the newest snapshot.
    @inline(__always)
    final func renew() throws {
        try check(mdb_txn_renew(transaction))
    }

    /// Lets the snapshot go.
    @inline(__always)
    final func reset() {
        mdb_txn_reset(transaction)
    }

    /// Frees the transaction and its cursors.
    final func close() {
        for cursor in idleCursors.values.joined() { mdb_cursor_close(cursor) }
        idleCursors = [:]
        mdb_txn_abort(transaction)
    }

    /// Returns the tables of an entity, or nil when the store has none.
    func store(for entity: EntitySchema) throws -> EntityStore? {
        if let lastStore, lastStore.entity === entity { return lastStore }
        try entity.validate()
        let store =
            try environment.catalog.openStore(for: entity)
            ?? environment.catalog.openForReading(entity, in: environment.handle)
        lastStore = store
        return store
    }

    /// Whether rows must be copied before they are handed over, because whoever gets them may write.
    var mustCopyRows: Bool { false }

    // MARK: Cursors

    func takeCursor(_ table: MDB_dbi) throws -> Cursor {
        if let cursor = idleCursors[table]?.popLast() {
            try check(mdb_cursor_renew(transaction, cursor))
            return Cursor(handle: cursor)
        }
        var opened: OpaquePointer?
        try check(mdb_cursor_open(transaction, table, &opened))
        guard let opened else { throw lmdbError(MDB_PANIC) }
        return Cursor(handle: opened)
    }

    func giveBack(_ cursor: Cursor, _ table: MDB_dbi) {
        idleCursors[table, default: []].append(cursor.handle)
    }

    final func takeSlots(_ store: EntityStore, rows: Int) -> SlotBuffer {
        let needed = store.layout.fieldCount * rows
        if let buffer = scratch.popLast() {
            if buffer.capacity >= needed { return buffer }
        }
        return SlotBuffer(capacity: needed)
    }

    final func giveBack(_ buffer: SlotBuffer) {
        scratch.append(buffer)
    }

    // MARK: EngineReader

    final func get(
        _ entity: EntitySchema, keys: RowBatch, _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        guard let store = try store(for: entity) else { return }
        let buffer = takeSlots(store, rows: 1)
        defer { giveBack(buffer) }
        for row in 0..<keys.count {
            store.writeKey(keys.slots + row * keys.columnCount, to: &key)
            guard let record = try record(store, key.value) else { continue }
            try record.verify()
            buffer.fill(record, at: 0, columns: store.layout.fieldCount)
            try visit(
                row,
                RowBatch(
                    slots: buffer.slots, columnCount: store.layout.fieldCount, count: 1,
                    entity: entity))
        }
    }

    /// Returns the record of a primary key, or nil.
    @inline(__always)
    final func record(_ store: EntityStore, _ key: MDB_val) throws -> Record? {
        guard key.mv_size <= IndexStore.keyLimit else { return nil }
        var key = key
        var value = MDB_val()
        let code = mdb_get(transaction, store.table, &key, &value)
        if code == MDB_NOTFOUND { return nil }
        try check(code, store.entity)
        return try Record(value.bytes, store.layout)
    }

    final func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        guard let store = try store(for: query.entity) else { return }
        guard query.limit != 0 else { return }
        if mustCopyRows {
            let rows = RowBuffer(query.entity)
            try selectRows(of: query, store) { record in
                try rows.append(copying: record)
                return true
            }
            if rows.count > 0 { _ = try visit(rows.batch) }
            return
        }
        let columns = store.layout.fieldCount
        let buffer = takeSlots(store, rows: Self.batchRows)
        defer { giveBack(buffer) }
        var count = 0
        var isStopped = false
        // The first batches are small, so that whoever stops early costs little.
        var batchLimit = 1
        func flush() throws {
            let batch = RowBatch(
                slots: buffer.slots, columnCount: columns, count: count, entity: query.entity)
            count = 0
            batchLimit = min(batchLimit * 4, Self.batchRows)
            isStopped = try !visit(batch)
        }
        try selectRows(of: query, store) { record in
            try record.verify()
            buffer.fill(record, at: count, columns: columns)
            count += 1
            if count == batchLimit { try flush() }
            return !isStopped
        }
        if count > 0 && !isStopped { try flush() }
    }

    private static let batchRows = 64

    final func count(_ query: RowQuery) throws -> Int {
        guard let store = try store(for: query.entity) else { return 0 }
        var unlimited = query
        unlimited.orderings = []
        unlimited.limit = nil
        unlimited.offset = 0
        var total = 0
        let plan = try plan(unlimited, store)
        if plan.isExact {
            total = try countExactly(plan, store)
        } else {
            let predicate = RowPredicate(query.condition, of: query.entity)
            try forEachRecord(plan, store) { value in
                if predicate.matches(try Record(value.bytes, store.layout)) { total += 1 }
                return true
            }
        }
        return min(max(total - query.offset, 0), query.limit ?? Int.max)
    }

    final func aggregate(
        _ function: AggregateFunction, column: Int, of query: RowQuery
    ) throws -> StorageValue {
        guard let store = try store(for: query.entity) else { return .null }
        var aggregate = Aggregate(function)
        try selectRows(of: query, store) { record in
            try record.verify()
            aggregate.add(record.slot(column))
            return true
        }
        return try aggregate.result(query.entity, column)
    }

    final func distinct(
        column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void
    ) throws {
        guard let store = try store(for: query.entity) else { return }
        var values = Set<StorageValue>()
        try selectRows(of: query, store) { record in
            try record.verify()
            values.insert(StorageValue(record.slot(column)))
            return true
        }
        let sorted = values.sorted { left, right in
            left.withSlot { left in right.withSlot { Slot.compare(left, $0) < 0 } }
        }
        for value in sorted { try value.withSlot(visit) }
    }

    final func explain(_ query: RowQuery) throws -> String {
        guard let store = try store(for: query.entity) else {
            return "nothing is stored of \(query.entity.name)"
        }
        return try plan(query, store).description(of: query)
    }
}

/// A reused block of slots for rows on their way out.
final class SlotBuffer {
    let slots: UnsafeMutablePointer<Slot>
    let capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        slots = .allocate(capacity: self.capacity)
    }

    deinit {
        slots.deallocate()
    }

    /// Fills a row with a record's fields.
    @inline(__always)
    func fill(_ record: Record, at row: Int, columns: Int) {
        let target = slots + row * columns
        for column in 0..<columns { target[column] = record.slot(column) }
    }
}

extension RowBuffer {
    /// Appends a record, its text and data copied.
    func append(copying record: Record) throws {
        try record.verify()
        var row = try beginRow()
        for column in columns {
            let slot = record.slot(column)
            switch slot.kind {
            case .text: try row.put(.text(copy(slot.bytes)))
            case .data: try row.put(.data(copy(slot.bytes)))
            default: try row.put(slot)
            }
        }
        try endRow(row)
    }
}
