/// Looks up the keys of a grouping that are fields of other rows.
final class RelatedKeys {
    private struct Row: SlotSource {
        let slots: UnsafePointer<Slot>
        let columns: [Int]

        func slot(_ column: Int) -> Slot { slots[columns.firstIndex(of: column) ?? 0] }
    }

    private let columns: [Int]
    private let keys: [(column: Int, field: RelatedField?)]
    private let values: UnsafeMutablePointer<Slot>

    init(
        _ keys: [RowGrouping.Key],
        of entity: EntitySchema,
        over columns: [Int],
        in reader: some EngineReader
    ) {
        self.columns = columns
        self.keys = keys.map { key in
            let ordering = RowOrdering(column: key.column, path: key.path)
            return (key.column, RelatedField(ordering, of: entity, in: reader))
        }
        values = .allocate(capacity: max(keys.count, 1))
        values.initialize(repeating: .null, count: max(keys.count, 1))
    }

    deinit {
        values.deallocate()
    }

    /// Returns the keys of a row in their order, valid until the next call.
    func keys(of slots: UnsafePointer<Slot>) throws -> UnsafePointer<Slot> {
        let row = Row(slots: slots, columns: columns)
        for (index, key) in keys.enumerated() {
            values[index] = try key.field?.slot(of: row) ?? row.slot(key.column)
        }
        return UnsafePointer(values)
    }
}
