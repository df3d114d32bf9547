import DBClientCore

/// The values of a key or of an index entry; equal by kind and bytes.
typealias MemoryKey = [StorageValue]

/// The rows of one entity by their primary keys, and who holds each unique value.
struct MemoryTable: Sendable {
    private let entity: EntitySchema
    private(set) var rows = ShardedDictionary<MemoryKey, MemoryRow>()
    private let uniqueIndexes: [IndexSchema]
    /// For each unique index, the primary key of the row with an entry.
    private var holders: [ShardedDictionary<MemoryKey, MemoryKey>]
    /// The largest integer key there ever was, so that a generated one is never used twice.
    private var lastKey: Int64 = 0

    init(_ entity: EntitySchema) {
        self.entity = entity
        uniqueIndexes = entity.indexes.filter(\.isUnique)
        holders = uniqueIndexes.map { _ in ShardedDictionary() }
    }

    /// Throws when a model of this name has other fields than the rows here.
    func checkShape(of other: EntitySchema) throws {
        if other === entity { return }
        guard other.fields == entity.fields, other.primaryKey == entity.primaryKey else {
            throw DBClientError(
                .schemaMismatch,
                "The stored fields differ from the model's.",
                entity: other.name
            )
        }
    }

    /// Returns an integer that was never a key here.
    func nextKey() throws -> Int64 {
        let (next, overflow) = lastKey.addingReportingOverflow(1)
        guard !overflow else {
            throw DBClientError(.full, "Every integer key has been used.", entity: entity.name)
        }
        return next
    }

    /// Adds a row whose key must be new.
    mutating func insert(_ row: MemoryRow) throws {
        let key = row.values(at: entity.primaryKey)
        guard rows[key] == nil else {
            throw DBClientError(
                .duplicateKey,
                "A value with this primary key exists already.",
                entity: entity.name,
                key: "\(key)"
            )
        }
        try put(row, under: key, replacing: nil)
    }

    /// Puts a row in the place of the one with its key, if there is one, and returns whether there
    /// was.
    @discardableResult
    mutating func upsert(_ row: MemoryRow) throws -> Bool {
        let key = row.values(at: entity.primaryKey)
        let old = rows[key]
        try put(row, under: key, replacing: old)
        return old != nil
    }

    /// Removes the row with a key and returns whether there was one.
    mutating func delete(_ key: MemoryKey) -> Bool {
        guard let row = rows[key] else { return false }
        rows[key] = nil
        for (position, index) in uniqueIndexes.enumerated() {
            if let entry = row.entry(of: index) { holders[position][entry] = nil }
        }
        return true
    }

    private mutating func put(
        _ row: MemoryRow,
        under key: MemoryKey,
        replacing old: MemoryRow?
    ) throws {
        for (position, index) in uniqueIndexes.enumerated() {
            guard let entry = row.entry(of: index) else { continue }
            if let holder = holders[position][entry], holder != key {
                throw DBClientError(
                    .uniqueViolation,
                    "Another value has the same unique value.",
                    entity: entity.name,
                    field: entity.fields[index.fields[0]].name,
                    key: "\(key)"
                )
            }
        }
        for (position, index) in uniqueIndexes.enumerated() {
            if let entry = old?.entry(of: index) { holders[position][entry] = nil }
            if let entry = row.entry(of: index) { holders[position][entry] = key }
        }
        rows[key] = row
        if let column = entity.integerKey { lastKey = max(lastKey, row.slot(column).integer) }
    }
}

extension MemoryRow {
    /// The row's entry in a unique index; none when one of its values is nil, which may occur often.
    fileprivate func entry(of index: IndexSchema) -> MemoryKey? {
        let values = values(at: index.fields)
        return values.contains(.null) ? nil : values
    }
}
