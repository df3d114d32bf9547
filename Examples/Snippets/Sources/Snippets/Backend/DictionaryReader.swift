import DBClientCore

/// Reads tables that nothing else changes.
class DictionaryReader: EngineReader {
    let buffers = RowBuffers()
    let usage: ModelUsage?
    fileprivate(set) var tables: [EntityName: DictionaryTable]

    init(_ tables: [EntityName: DictionaryTable], _ usage: ModelUsage) {
        self.tables = tables
        self.usage = usage
    }

    // snippet: backend-reads
    func get(
        _ entity: EntitySchema,
        keys: RowBatch,
        _ visit: (Int, RowBatch) throws -> Void
    ) throws {
        let table = try table(of: entity)
        for position in 0..<keys.count {
            guard let row = table.rows[keys.values(position)] else { continue }
            try visit(position, row.batch)
        }
    }

    func scan(_ query: RowQuery, _ visit: (RowBatch) throws -> Bool) throws {
        // Conditions on related rows become conditions on keys.
        let query = try query.resolved(by: self)
        let predicate = RowPredicate(query.condition, of: query.entity)
        let found = try table(of: query.entity).rows.values.filter { predicate.matches($0) }
        // A computed value may be missing: a number that its type does not have.
        try predicate.check()
        let sorted = try query.sorted(found, in: self)
        for row in sorted.dropFirst(query.offset).prefix(query.limit ?? .max) {
            if try !visit(row.batch) { return }
        }
    }
    // end snippet

    fileprivate func table(of entity: EntitySchema) throws -> DictionaryTable {
        usage?.note(entity)
        if let table = tables[entity.exactName] { return try table.laidOut(for: entity) }
        for name in tables.keys where EntitySchema.differInCaseAlone("\(name)", entity.name) {
            throw EntitySchema.nameTaken(entity.name, as: "\(name)")
        }
        return DictionaryTable(entity)
    }
}

/// Writes to a copy of the tables.
final class DictionaryWriter: DictionaryReader, EngineWriter {
    private var savepoints: [[EntityName: DictionaryTable]] = []

    func insert(_ rows: RowBuffer) throws {
        let given = rows.greatestKey
        try change(rows.entity) { table in
            for position in 0..<rows.count {
                if let column = rows.entity.integerKey, rows.batch[position, column].isNull {
                    let key = try table.nextKey(above: given)
                    rows.replace(row: position, column: column, with: .integer(key))
                }
                let row = DictionaryRow(rows.batch.row(position), of: rows.entity)
                if table.rows[row.key] != nil { throw rows.entity.duplicateKey(row.key) }
                try table.put(row)
            }
        }
    }

    // snippet: backend-updates
    func update(
        _ rows: RowBatch,
        of entity: EntitySchema,
        setting columns: [Int],
        missing: (Int) throws -> Void
    ) throws {
        try change(entity) { table in
            for position in 0..<rows.count {
                let key = entity.primaryKey.map { StorageValue(rows[position, $0]) }
                guard let old = table.rows[key] else {
                    try missing(position)
                    continue
                }
                try table.put(old.setting(columns, of: rows.row(position)))
            }
        }
    }
    // end snippet

    func delete(_ entity: EntitySchema, keys: RowBatch) throws -> Int {
        try change(entity) { table in
            (0..<keys.count).count { table.remove(keys.values($0)) != nil }
        }
    }

    func beginSavepoint() throws { savepoints.append(tables) }
    func releaseSavepoint() throws { savepoints.removeLast() }
    func rollbackSavepoint() throws { tables = savepoints.removeLast() }

    private func change<Result>(
        _ entity: EntitySchema,
        _ body: (inout DictionaryTable) throws -> Result
    ) throws -> Result {
        var table = try table(of: entity)
        // Changed in place, since nothing else holds the table now.
        tables[entity.exactName] = nil
        defer { tables[entity.exactName] = table }
        try table.keepIndexes(of: entity)
        return try body(&table)
    }
}

extension RowBatch {
    fileprivate func values(_ row: Int) -> [StorageValue] {
        (0..<columnCount).map { StorageValue(self[row, $0]) }
    }
}
