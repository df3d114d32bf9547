import DBClientCore

/// A stored row, never changed.
final class DictionaryRow: SlotSource, @unchecked Sendable {
    private let entity: EntitySchema
    /// Has the row, and the bytes of its text and data.
    private let buffer: RowBuffer
    let key: [StorageValue]

    /// Copies a row.
    init(_ row: RowBatch, of entity: EntitySchema) {
        self.entity = entity
        buffer = RowBuffer(entity)
        buffer.append(copying: row)
        key = entity.primaryKey.map { StorageValue(row[0, $0]) }
    }

    /// The row as a batch of one, as calls pass it on.
    var batch: RowBatch { buffer.batch }

    func slot(_ column: Int) -> Slot { batch[0, column] }

    /// Returns the values of some fields; nil where one of them is absent.
    func values(_ names: [String]) -> [StorageValue]? {
        let values = names.map { entity.position(of: $0).map { StorageValue(slot($0)) } ?? .null }
        return values.contains(where: \.isNull) ? nil : values
    }

    /// Returns the row with some fields of another one.
    func setting(_ columns: [Int], of other: RowBatch) -> DictionaryRow {
        let changed = DictionaryRow(batch, of: entity)
        for column in columns {
            let slot = StorageValue(other[0, column]).slot(in: changed.buffer)
            changed.buffer.replace(row: 0, column: column, with: slot)
        }
        return changed
    }

    /// Returns the row of an entity whose fields are at other places.
    func moved(_ columns: [Int], to other: EntitySchema) -> DictionaryRow {
        let slots = columns.map(slot)
        return slots.withUnsafeBufferPointer { slots in
            guard let start = slots.baseAddress else { return self }
            let row = RowBatch(slots: start, columnCount: slots.count, count: 1, entity: other)
            return withExtendedLifetime(self) { DictionaryRow(row, of: other) }
        }
    }
}
