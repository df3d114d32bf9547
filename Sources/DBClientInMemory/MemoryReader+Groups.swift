import DBClientCore

// Groups that are counted alone, from the rows in the order of an index.
extension MemoryReader {
    func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        guard grouping.keys.count == 1, let key = grouping.keys.first, key.isOwnField,
            grouping.allTerms.allSatisfy({ $0 == .count }),
            let rows = try indexedRows(by: key.column, grouping.query)
        else { return try groupSelectedRows(grouping, visit) }
        var row = [Slot](repeating: .null, count: 1 + grouping.terms.count)
        try rows.forEachValue { first, count in
            let number = Slot.integer(Int64(count))
            guard grouping.condition.holds({ _ in number }) else { return }
            row[0] = first.slot(key.column)
            for place in row.indices.dropFirst() { row[place] = number }
            try row.withUnsafeBufferPointer(visit)
        }
    }

    /// Returns all rows in the order of a field; nil for a query of some rows alone, and without an index of the field.
    func indexedRows(by column: Int, _ query: RowQuery) throws -> SortedRows? {
        guard query.condition == .constant(true), query.limit == nil, query.offset == 0,
            query.entity.indexes.contains(where: { $0.fields == [column] })
        else { return nil }
        return try store.table(of: query.entity).rows(by: column)
    }

    func rowCount(of entity: EntitySchema) throws -> Int? {
        try store.table(of: entity).rows.count
    }
}
