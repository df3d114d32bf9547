extension EngineReader {
    /// Visits the rows with the keys of a buffer, in any order.
    func lookUp(_ keys: RowBuffer, _ visit: (RowBatch) throws -> Void) throws {
        try keys.withBatch { try lookUp(keys.entity, keys: $0, visit) }
    }

    /// Returns the primary keys of the rows of a query.
    func keys(of query: RowQuery) throws -> RowBuffer {
        let keys = RowBuffer(query.entity, columns: query.entity.primaryKey)
        let keyColumns = KeyColumns(query.entity.primaryKey)
        try scan(query) { batch in
            for row in 0..<batch.count {
                keys.append(copying: keyColumns.key(of: batch.slots + row * batch.columnCount))
            }
            return true
        }
        return keys
    }
}
