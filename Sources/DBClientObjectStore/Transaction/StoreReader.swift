import CLMDB
import DBClientCore
import Synchronization

/// A read transaction: one snapshot, read on the thread that has it, straight from the map.
///
/// It is kept and renewed, because beginning another one costs more than a read. The writer is a reader
/// too, with a write transaction in place of the snapshot. Sendable because the pool hands it to one
/// thread at a time.
class StoreReader: EngineReader, @unchecked Sendable {
    let environment: Environment
    let buffers = RowBuffers()
    @exclusivity(unchecked) var transaction: Transaction
    @exclusivity(unchecked) var key = KeyWriter()
    @exclusivity(unchecked) private var lastStore: EntityStore?
    /// How many tables there were when the reader last looked.
    @exclusivity(unchecked) private(set) var tableCount = 0
    /// When the snapshot was taken, for other threads to ask.
    final let start = SnapshotStart()
    /// Whether anything was read of the snapshot.
    @exclusivity(unchecked) private var isUsed = false
    @exclusivity(unchecked) private var scratch: [SlotBuffer] = []
    private let row = UnsafeMutablePointer<Slot>.allocate(
        capacity: StoreReader.rowCapacity
    )
    @exclusivity(unchecked) private var isRowTaken = false
    private static let rowCapacity = 64
    @exclusivity(unchecked) private var idleCursors: [MDB_dbi: [Cursor]] = [:]
    /// How often the engine was asked, for tests.
    @exclusivity(unchecked) final private(set) var use = ObjectStoreUse()

    final var usage: ModelUsage? { environment.catalog.usage }

    init(_ environment: Environment) throws {
        self.environment = environment
        transaction = try Transaction(reading: environment.handle, environment.sealed)
    }

    /// For the writer, whose transaction is not a snapshot.
    init(_ environment: Environment, _ transaction: Transaction) {
        self.environment = environment
        self.transaction = transaction
    }

    deinit {
        environment.snapshots.remove(start)
        key.deallocate()
        row.deallocate()
    }

    /// Moves the reader to the newest snapshot.
    @inline(__always)
    final func renew() throws {
        isUsed = false
        try transaction.renew()
        start.time.store(clmdb_coarse_time(), ordering: .relaxed)
    }

    /// Releases the snapshot and keeps the reader for another.
    @inline(__always)
    final func reset() {
        start.time.store(0, ordering: .relaxed)
        transaction.reset()
    }

    /// Frees the transaction and its cursors.
    final func close() {
        for cursor in idleCursors.values.joined() { cursor.close() }
        idleCursors = [:]
        transaction.abort()
    }

    /// Returns the tables of an entity, or nil when the snapshot has none.
    func store(for entity: EntitySchema) throws -> EntityStore? {
        if !isUsed { try beginUse() }
        try environment.snapshots.check(start)
        if let lastStore, lastStore.entity === entity { return lastStore }
        try entity.validate()
        let found = try environment.catalog.store(for: entity, in: transaction, tableCount)
        if entity.isView { try checkMayRead(entity, found) }
        guard let store = found else { return nil }
        lastStore = store
        return store
    }

    func viewMark(of entity: EntitySchema) throws -> String? {
        try environment.catalog.read(entity.name, transaction)?.viewMark
    }

    /// Makes sure, before anything is read, that every table of the snapshot is open in it.
    @inline(__always)
    private func beginUse() throws {
        let count = try environment.catalog.tableCount(in: transaction)
        if count != tableCount { try seeTables(count) }
        isUsed = true
    }

    @inline(never)
    private func seeTables(_ count: Int) throws {
        let catalog = environment.catalog
        lastStore = nil
        tableCount = count
        repeat {
            if tableCount > catalog.openCount { try catalog.openTables() }
            // A transaction does not know tables that were opened after it began.
            reset()
            try renew()
            tableCount = try catalog.tableCount(in: transaction)
        } while tableCount > catalog.openCount
    }

    /// LMDB's number of the transaction: that of the last commit it sees, and one more when it writes.
    @inline(__always)
    final var number: UInt64 { transaction.number }

    /// Whether rows must be copied before a visitor gets them, because it may write.
    var mustCopyRows: Bool { false }

    /// The size of the pages in which records are looked at; 0 where they are not.
    ///
    /// What a writer has changed is in no page of the map.
    final var pageSize: Int { mustCopyRows ? 0 : environment.recordPageSize }

    // MARK: Cursors

    func takeCursor(_ table: MDB_dbi) throws -> Cursor {
        use.passCount += 1
        if let cursor = idleCursors[table]?.popLast() {
            try cursor.renew(in: transaction)
            return cursor
        }
        return try transaction.openCursor(table)
    }

    func giveBack(_ cursor: Cursor, _ table: MDB_dbi) {
        idleCursors[table, default: []].append(cursor)
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

    /// Returns memory for the slots of one row: the reader's own, or other while that is in use.
    @inline(__always)
    final func takeRow(_ columnCount: Int) -> UnsafeMutablePointer<Slot> {
        guard !isRowTaken, columnCount <= Self.rowCapacity else {
            return .allocate(capacity: columnCount)
        }
        isRowTaken = true
        return row
    }

    @inline(__always)
    final func giveBack(_ slots: UnsafeMutablePointer<Slot>) {
        if slots == row { isRowTaken = false } else { slots.deallocate() }
    }

    /// Lets go of what an encrypted store has lent since there were so many pages, at the end of a call.
    ///
    /// A call in a write may be a part of another one, which goes on with what it was lent.
    @inline(__always)
    final func release(to pinCount: Int) {
        if !mustCopyRows { transaction.release(to: pinCount) }
    }

    // MARK: EngineReader

    final func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        guard let store = try store(for: entity) else { return }
        use.passCount += 1
        use.keyCount += keys.count
        let columnCount = store.layout.fieldCount
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        let slots = takeRow(columnCount)
        defer { giveBack(slots) }
        for row in 0..<keys.count {
            store.writeKey(keys.slots + row * keys.columnCount, to: &key)
            guard let record = try record(store, key.value) else { continue }
            do { try record.verify() } catch { throw entity.naming(error) }
            record.fill(slots, store.layout)
            try visit(
                row,
                RowBatch(slots: slots, columnCount: columnCount, count: 1, entity: entity)
            )
        }
    }

    /// Returns the record of a primary key, or nil.
    @inline(__always)
    final func record(_ store: EntityStore, _ key: MDB_val) throws -> Record? {
        guard key.mv_size <= IndexStore.keyLimit else { return nil }
        guard let value = try transaction.get(store.table, key, store.entity) else { return nil }
        do {
            return try Record(value.bytes, store.layout)
        } catch {
            throw store.entity.naming(error)
        }
    }

    final func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        guard let store = try store(for: query.entity) else { return }
        guard query.limit != 0 else { return }
        let query = try query.resolved(by: self)
        if mustCopyRows {
            let rows = RowBuffer(query.entity)
            try selectRows(of: query, store) { record in
                try rows.append(copying: record)
                return true
            }
            if rows.count > 0 { _ = try rows.withBatch(visit) }
            return
        }
        let buffer = takeSlots(store, rows: SlotBuffer.batchRows)
        defer { giveBack(buffer) }
        let plan = try plan(query, store)
        buffer.begin(query.entity, expecting: plan.knownCount(of: query))
        // Both outlive the walk. It would count its hold on either up and down for each record, at a
        // twentieth of what a record takes through an index.
        defer { withExtendedLifetime(store) {} }
        let rows = Unmanaged.passUnretained(buffer)
        let layout = Unmanaged.passUnretained(store.layout)
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        try selectRows(of: query, by: plan, store) { record in
            try record.verify()
            return try rows._withUnsafeGuaranteedRef { rows in
                layout._withUnsafeGuaranteedRef { rows.add(record, $0) }
                if !rows.isFull { return true }
                let goesOn = try rows.flush(visit)
                // Rows that were sorted are kept until the last one.
                if plan.isOrdered { transaction.unpin(to: pinCount) }
                return goesOn
            }
        }
        if !buffer.isEmpty { _ = try buffer.flush(visit) }
    }

    final func count(_ query: RowQuery) throws -> Int {
        guard let store = try store(for: query.entity) else { return 0 }
        let query = try query.resolved(by: self)
        var unlimited = query
        unlimited.orderings = []
        unlimited.limit = nil
        unlimited.offset = 0
        var total = 0
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        let plan = try plan(unlimited, store)
        if plan.isExact {
            total = try countExactly(plan, store)
        } else {
            let layout = store.layout
            let predicate = RecordPredicate(
                plan.filter ?? query.condition,
                layout,
                of: query.entity
            )
            defer { withExtendedLifetime((predicate, layout)) {} }
            do {
                let isSealed = environment.sealed != nil
                try forEachRecord(plan, store) { value in
                    if predicate.matches(try Record(value.bytes, layout)) { total += 1 }
                    if isSealed { transaction.unpin(to: pinCount) }
                    return true
                }
                try predicate.check()
            } catch {
                throw query.entity.naming(error)
            }
        }
        return min(max(total - query.offset, 0), query.limit ?? Int.max)
    }

    func hints(for entity: EntitySchema) -> EngineHints { EngineHints() }

    final func rowCount(of entity: EntitySchema) throws -> Int? {
        try store(for: entity).map { try rowCount($0) } ?? 0
    }

    final func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        guard path.isEmpty else {
            return try aggregateByLookingUp(function, column: column, through: path, of: query)
        }
        guard let store = try store(for: query.entity) else { return .null }
        let query = try query.resolved(by: self).unorderedUnlessLimited
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        var aggregate = FieldAggregate(function)
        let isFixed = store.layout.isFixed([column])
        try selectRows(of: query, store) { record in
            try record.verify(readsFixedPartAlone: isFixed)
            aggregate.add(record.slot(column))
            return true
        }
        return try aggregate.result(query.entity, column)
    }

    final func distinct(
        column: Int,
        of query: RowQuery,
        _ visit: (Slot) throws -> Void
    ) throws {
        guard let store = try store(for: query.entity) else { return }
        let query = try query.resolved(by: self).unorderedUnlessLimited
        let pinCount = transaction.pinCount
        defer { release(to: pinCount) }
        if let counts = try countsByIndex(of: column, query, store) {
            for (value, _) in counts { try value.withSlot(visit) }
            return
        }
        var values = Set<StorageValue>()
        let isFixed = store.layout.isFixed([column])
        try selectRows(of: query, store) { record in
            try record.verify(readsFixedPartAlone: isFixed)
            values.insert(StorageValue(record.slot(column)))
            return true
        }
        let sorted = values.sorted { left, right in
            left.withSlot { left in right.withSlot { Slot.compare(left, $0) < 0 } }
        }
        for value in sorted { try value.withSlot(visit) }
    }

    final func difference(from entity: EntitySchema) throws -> ShapeDifference? {
        try environment.catalog.read(entity.name, transaction)?.difference(from: entity)
    }

    final func shapes() throws -> [StoredShape] {
        try environment.catalog.shapes(transaction)
    }

    final func explain(_ query: RowQuery) throws -> String {
        guard let store = try store(for: query.entity) else {
            return "nothing is stored of \(query.entity.name)"
        }
        let resolved = try query.resolved(by: self)
        return try plan(resolved, store).description(of: resolved)
    }
}
