/// The modification that a partial update makes to the stored value of a field.
struct FieldModification {
    let column: Int
    let change: (StorageValue) throws -> StorageValue
}

extension EngineWriter {
    /// Writes to the rows of a query what is assigned, and what modifications make of their fields.
    ///
    /// The rows are read first: what changes may be what the query asks for, and the functions of the
    /// modifications may use the transaction. They are written in the query's order.
    ///
    /// - Returns: How many rows there were.
    func update(
        _ query: RowQuery,
        setting assigned: RowAssignments?,
        modifying modifications: [FieldModification]
    ) throws -> Int {
        let entity = query.entity
        let modified = Set(modifications.map(\.column)).sorted()
        let stored = RowBuffer(entity, columns: entity.primaryKey + modified)
        try select(stored.columns, of: query) { batch in
            stored.append(copying: batch)
            return true
        }
        // Where a field stands in what was read; nil for one that is assigned, or left as it is.
        var places = [Int?](repeating: nil, count: entity.fields.count)
        for (place, column) in stored.columns.enumerated() { places[column] = place }
        let rows = RowBuffer(entity, capacity: stored.count)
        rows.lenders = [stored]
        for row in 0..<stored.count {
            for modification in modifications {
                guard let place = places[modification.column] else { continue }
                let value = try modification.change(StorageValue(stored.batch[row, place]))
                stored.replace(row: row, column: place, with: value.slot(in: stored))
            }
            rows.append { column in
                if let place = places[column] { return stored.batch[row, place] }
                return assigned?.values[0, column] ?? .null
            }
        }
        let columns = (modified + (assigned?.columns ?? [])).sorted()
        for start in stride(from: 0, to: rows.count, by: WriteTransaction.chunk) {
            let range = start..<min(start + WriteTransaction.chunk, rows.count)
            try rows.withBatch { batch in
                try update(batch.rows(range), of: entity, setting: columns) { _ in
                    throw entity.nothingToUpdate()
                }
            }
        }
        return rows.count
    }
}
