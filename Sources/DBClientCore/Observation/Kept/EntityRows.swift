/// Rows of an entity with some of their fields, each at its position in the entity.
final class EntityRows {
    private let columns: [Int]
    /// The fields of a row, of which those that are looked at are set.
    private let row: UnsafeMutablePointer<Slot>

    init(_ entity: EntitySchema, _ columns: [Int]) {
        self.columns = columns
        let width = max(entity.fields.count, 1)
        row = .allocate(capacity: width)
        row.initialize(repeating: .null, count: width)
    }

    deinit {
        row.deallocate()
    }

    /// Visits the rows of a query.
    func visit(
        _ query: RowQuery,
        in reader: any EngineReader,
        _ visit: (UnsafePointer<Slot>) throws -> Void
    ) throws {
        try reader.select(columns, of: query) { batch in
            for index in 0..<batch.count {
                for (place, column) in columns.enumerated() { row[column] = batch[index, place] }
                try visit(UnsafePointer(row))
            }
            return true
        }
    }
}
