/// A row's identity: its entity and its primary key as it is stored, text by its bytes.
struct EntityKey: Hashable {
    let entity: EntitySchema
    let values: [StorageValue]

    init(entity: EntitySchema, values: [StorageValue]) {
        self.entity = entity
        self.values = values
    }

    /// Nil when the store has yet to make the key.
    init?(_ entity: EntitySchema, _ row: [StorageValue]) {
        self.init(entity: entity, values: entity.primaryKey.map { row[$0] })
        if values.contains(where: \.isNull) { return nil }
    }
}

/// An entity that lives as long as another reference to it.
struct WeakEntity {
    weak var entity: ManagedEntity?
}

extension RowBatch {
    func values(at row: Int) -> [StorageValue] {
        (0..<columnCount).map { StorageValue(self[row, $0]) }
    }
}

/// Returns keys as an engine takes them.
func keyRows(_ entity: EntitySchema, _ keys: [EntityKey]) throws -> RowBuffer {
    let rows = RowBuffer(entity, columns: entity.primaryKey, capacity: keys.count)
    for key in keys { try rows.append(key.values) }
    return rows
}

extension RowBuffer {
    /// Appends a row of values in the order of the columns.
    func append(_ values: [StorageValue]) throws {
        var row = try beginRow()
        for value in values { try row.put(value.slot(in: self)) }
        try endRow(row)
    }
}
