// Rows that a write returns, on an engine that returns none itself.
extension EngineWriter {
    /// Reads the rows, computes, and writes them by their keys.
    public func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws {
        try updateByKeys(query, setting: assignments, computing: computations, returning: rows)
    }

    /// Reads the rows of a query into a buffer, changes them there, and writes them by their keys: for an engine that has
    /// a way of its own, but not for every update.
    public func updateByKeys(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws {
        let entity = query.entity
        try scan(query) { batch in
            rows.append(copying: batch)
            return true
        }
        if rows.count == 0 { return }
        try compute(computations, in: rows)
        for column in assignments?.columns ?? [] {
            guard let value = assignments?.values[0, column] else { continue }
            let slot = rows.copied(value)
            for row in 0..<rows.count { rows.replace(row: row, column: column, with: slot) }
        }
        let columns = ((assignments?.columns ?? []) + computations.map(\.column)).sorted()
        if columns.isEmpty { return }
        let chunk = 131_072
        for start in stride(from: 0, to: rows.count, by: chunk) {
            let range = start..<min(start + chunk, rows.count)
            try rows.withBatch { batch in
                try update(batch.rows(range), of: entity, setting: columns) { _ in
                    throw entity.nothingToUpdate()
                }
            }
        }
    }

    /// Writes fields of the rows of a query, and reads the rows again: for an engine that may keep other values than are
    /// written.
    package func updateAndGet(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation],
        returning rows: RowBuffer
    ) throws {
        let keys = try keys(of: query)
        if keys.count == 0 { return }
        let found = RowQuery(query.entity, where: .keys(query.entity.primaryKey, in: keys))
        if !computations.isEmpty {
            _ = try update(found, setting: assignments, computing: computations)
        } else if let assignments {
            _ = try update(found, setting: assignments)
        }
        try keys.withBatch { keys in
            try get(query.entity, keys: keys) { rows.append(copying: $1) }
        }
    }

    /// Reads the rows, and deletes them by their keys.
    public func delete(_ query: RowQuery, returning rows: RowBuffer) throws {
        try scan(query) { batch in
            rows.append(copying: batch)
            return true
        }
        try deleteRead(rows)
    }

    /// Deletes rows that were read, by their keys.
    package func deleteRead(_ rows: RowBuffer) throws {
        let entity = rows.entity
        if rows.count == 0 { return }
        let keys = RowBuffer(entity, columns: entity.primaryKey, capacity: rows.count)
        keys.lenders = [rows]
        for row in 0..<rows.count { keys.append { rows.batch[row, entity.primaryKey[$0]] } }
        _ = try keys.withBatch { try delete(entity, keys: $0) }
    }
}
