/// Primary keys in their stored form, in which they are the same exactly when an engine says so: text
/// by its bytes, dates rounded.
struct KeyRows<Shape: Stored> {
    private let rows: RowBuffer

    init(_ keys: [Shape.PrimaryKey]) throws {
        let entity = Shape.schema.entity
        try entity.validate()
        rows = RowBuffer(entity, columns: entity.primaryKey, capacity: keys.count)
        for key in keys {
            var row = try rows.beginRow()
            try key.write(to: &row)
            try rows.endRow(row)
        }
    }

    func isEqual(_ index: Int, _ other: KeyRows, _ otherIndex: Int) -> Bool {
        (0..<rows.columns.count).allSatisfy {
            Slot.compare(rows.batch[index, $0], other.rows.batch[otherIndex, $0]) == 0
        }
    }

    /// Returns for each key the value that has it, or nil.
    ///
    /// `found` is what exists of the keys, in their order.
    static func align(_ found: [Shape], with keys: [Shape.PrimaryKey]) throws -> [Shape?] {
        let wanted = try KeyRows(keys)
        let present = try KeyRows(found.map(\.primaryKey))
        var next = 0
        return keys.indices.map { index in
            guard next < found.count, wanted.isEqual(index, present, next) else { return nil }
            defer { next += 1 }
            return found[next]
        }
    }
}
