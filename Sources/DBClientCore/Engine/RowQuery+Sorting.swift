extension RowQuery {
    /// Returns rows in the query's total order, for an engine that sorts rows itself.
    ///
    /// - Parameters:
    ///   - rows: Rows of the query's entity.
    ///   - reader: Looks up fields of related rows, where the query is sorted by them.
    /// - Returns: The rows, sorted.
    /// - Throws: What the reader throws.
    @inlinable
    public func sorted<Row: SlotSource>(
        _ rows: [Row],
        in reader: some EngineReader
    ) throws -> [Row] {
        // Of no rows none needs a key.
        if limit == 0 { return rows }
        let orderings = totalOrder
        let comparator = RowComparator(orderings)
        let width = orderings.count
        var keys: [Slot] = []
        keys.reserveCapacity(rows.count * width)
        let related = orderings.map { RelatedField($0, of: entity, in: reader) }
        for row in rows {
            for index in orderings.indices {
                let slot = try related[index]?.slot(of: row) ?? row.slot(orderings[index].column)
                keys.append(slot)
            }
        }
        // The rows by where their keys begin. The related fields own what some of the keys borrow.
        let order = withExtendedLifetime(related) {
            keys.withUnsafeBufferPointer { keys -> [Int] in
                guard let start = keys.baseAddress else { return [] }
                return stride(from: 0, to: keys.count, by: width).sorted {
                    comparator.compare(start + $0, start + $1) < 0
                }
            }
        }
        return order.map { rows[$0 / width] }
    }
}
