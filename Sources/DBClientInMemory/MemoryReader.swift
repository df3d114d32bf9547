import DBClientCore

/// Reading one state of the store.
class MemoryReader: EngineReader {
    let buffers = RowBuffers()
    fileprivate(set) var store: MemoryStore
    var usage: ModelUsage? { store.usage }

    init(_ store: MemoryStore) {
        self.store = store
    }

    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        let table = try store.table(of: entity).rows
        // They are looked up first, since a visitor may use the buffer that the keys are in.
        let found = (0..<keys.count).map { table.row(with: KeyRow(keys: keys, row: $0)) }
        for (position, row) in found.enumerated() {
            try row?.withBatch(of: entity) { try visit(position, $0) }
        }
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        for row in try rows(of: query) {
            guard try row.withBatch(of: query.entity, visit) else { return }
        }
    }

    func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        // The rows are held, since the slots borrow from them.
        let rows = try rows(of: query)
        let selected = ProjectedRows(columns, of: query.entity, expecting: rows.count)
        try withExtendedLifetime(rows) {
            for row in rows {
                selected.add { row.slot($0) }
                if selected.isFull, try !selected.flush(visit) { return }
            }
            _ = try selected.flush(visit)
        }
    }

    func count(_ query: RowQuery) throws -> Int {
        let matching =
            query.condition == .constant(true)
            ? try store.table(of: query.entity).rows.count
            : try matches(of: query, atLeast: .max).count
        return min(max(matching - query.offset, 0), query.limit ?? .max)
    }

    func aggregate(
        _ function: AggregateFunction,
        column: Int,
        through path: [RelatedRows],
        of query: RowQuery
    ) throws -> StorageValue {
        guard path.isEmpty else {
            return try aggregateByLookingUp(function, column: column, through: path, of: query)
        }
        // The rows are held, since the slots borrow from them.
        let rows = try rows(of: query.unorderedUnlessLimited)
        return try withExtendedLifetime(rows) {
            var aggregate = FieldAggregate(function)
            for row in rows { aggregate.add(row.slot(column)) }
            return try aggregate.result(query.entity, column)
        }
    }

    func distinct(column: Int, of query: RowQuery, _ visit: (Slot) throws -> Void) throws {
        if let rows = try indexedRows(by: column, query) {
            return try rows.forEachValue { row, _ in try visit(row.slot(column)) }
        }
        let rows = try rows(of: query.unorderedUnlessLimited)
        try withExtendedLifetime(rows) {
            var last: Slot?
            for slot in rows.map({ $0.slot(column) }).sorted(by: { Slot.compare($0, $1) < 0 }) {
                if let last, Slot.compare(last, slot) == 0 { continue }
                try visit(slot)
                last = slot
            }
        }
    }

    func explain(_ query: RowQuery) throws -> String {
        let entity = query.entity
        if let lookup = MemoryTable.lookup(for: query.condition, of: entity) {
            let field = entity.fields[lookup.column].name
            return "look up rows of \(entity.name) by \(field), sort those that match"
        }
        let count = try store.table(of: entity).rows.count
        return "look at all \(count) rows of \(entity.name), sort those that match"
    }

    /// Returns the rows of a query: matching, sorted, limited.
    final func rows(of query: RowQuery) throws -> ArraySlice<MemoryRow> {
        if query.limit == 0 { return [] }
        let (end, isUnlimited) = query.offset.addingReportingOverflow(query.limit ?? .max)
        let isSorted = query.isInKeyOrder
        var rows = try matches(of: query, atLeast: isSorted && !isUnlimited ? end : .max)
        if !isSorted { rows = try query.sorted(rows, in: self) }
        return rows.dropFirst(query.offset).prefix(query.limit ?? .max)
    }

    /// Returns the first rows that match, in the order of their keys.
    private func matches(of query: RowQuery, atLeast limit: Int) throws -> [MemoryRow] {
        let query = try query.resolved(by: self)
        let predicate = RowPredicate(query.condition, of: query.entity)
        let table = try store.table(of: query.entity)
        let lookup = MemoryTable.lookup(for: query.condition, of: query.entity)
        let rows =
            lookup.map { table.rows($0, of: query.entity).filter(predicate.matches) }
            ?? table.rows.matching(predicate, atLeast: limit)
        try predicate.check()
        return rows
    }

    func hints(for entity: EntitySchema) -> EngineHints { EngineHints(looksAtEveryRow: true) }

    func difference(from entity: EntitySchema) throws -> ShapeDifference? {
        try store.difference(from: entity)
    }

    func shapes() throws -> [StoredShape] { try store.shapes() }

    func viewMark(of entity: EntitySchema) throws -> String? { store.viewMark(of: entity) }
}

/// Writing to a copy of the store.
final class MemoryWriter: MemoryReader, EngineWriter {
    private var savepoints: [MemoryStore] = []

    func insert(_ rows: RowBuffer) throws {
        try write(rows) { table, row, _ in try table.insert(row) }
    }

    func upsert(_ rows: RowBuffer, outcome: (Int, Bool) -> Void) throws {
        try write(rows) { table, row, position in
            outcome(position, try !table.upsert(row))
        }
    }

    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        for position in 0..<rows.count {
            let key = KeyOfWholeRow(rows: rows, row: position, columns: entity.primaryKey)
            let exists = try store.change(entity) { table in
                guard let stored = table.rows.row(with: key) else { return false }
                let values = RowAssignments(columns: columns, values: rows.row(position))
                return try table.upsert(stored.setting(values))
            }
            if !exists { try missing(position) }
        }
    }

    func update(_ query: RowQuery, setting assignments: RowAssignments) throws -> Int {
        let rows = try rows(of: query)
        try store.change(query.entity) { table in
            for row in rows { try table.upsert(row.setting(assignments)) }
        }
        return rows.count
    }

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        try store.change(entity) { table in
            (0..<keys.count).count { row in
                guard let row = table.rows.row(with: KeyRow(keys: keys, row: row)) else {
                    return false
                }
                table.delete(row)
                return true
            }
        }
    }

    func delete(_ query: RowQuery) throws -> Int {
        let rows = try rows(of: query)
        try store.change(query.entity) { table in
            for row in rows { table.delete(row) }
        }
        return rows.count
    }

    func setViewMark(_ mark: String?, of entity: EntitySchema) throws {
        try store.setViewMark(mark, of: entity)
    }

    func reshape(_ entity: EntitySchema, _ change: ShapeChange) throws {
        try store.reshape(entity, change)
    }

    func drop(_ entity: EntitySchema) throws {
        try store.drop(entity)
    }

    func replace(_ former: EntitySchema, with entity: EntitySchema) throws {
        try store.replace(former, with: entity)
    }

    func beginSavepoint() throws {
        savepoints.append(store)
    }

    func releaseSavepoint() throws {
        _ = savepoints.popLast()
    }

    func rollbackSavepoint() throws {
        if let saved = savepoints.popLast() { store = saved }
    }

    /// Gives each row without a key the next one, then passes it on.
    private func write(
        _ rows: RowBuffer,
        _ put: (inout MemoryTable, MemoryRow, Int) throws -> Void
    ) throws {
        let entity = rows.entity
        let given = rows.greatestKey
        try store.change(entity) { table in
            for position in 0..<rows.count {
                if let column = entity.integerKey, rows.batch[position, column].isNull {
                    let key = try table.nextKey(above: given)
                    rows.replace(row: position, column: column, with: .integer(key))
                }
                try put(&table, MemoryRow(rows.batch, at: position), position)
            }
        }
    }
}

/// One key of a batch of keys, so that predicates on key fields can be asked of it.
private struct KeyRow: SlotSource {
    let keys: RowBatch
    let row: Int

    func slot(_ index: Int) -> Slot { keys[row, index] }
}

/// The key fields of a row that has others.
private struct KeyOfWholeRow: SlotSource {
    let rows: RowBatch
    let row: Int
    let columns: [Int]

    func slot(_ index: Int) -> Slot { rows[row, columns[index]] }
}
