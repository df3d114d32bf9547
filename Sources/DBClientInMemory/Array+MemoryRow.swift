import DBClientCore

extension Array where Element == MemoryRow {
    /// Returns the rows sorted by a total order.
    func sorted(by orderings: [RowOrdering], in reader: MemoryReader) throws -> [MemoryRow] {
        let comparator = RowComparator(orderings)
        let width = orderings.count
        var keys: [Slot] = []
        keys.reserveCapacity(count * width)
        let related = orderings.map { RelatedField($0, in: reader) }
        for row in self {
            for (ordering, related) in zip(orderings, related) {
                keys.append(try related?.slot(of: row) ?? row.slot(ordering.column))
            }
        }
        // The related fields own what some of the keys borrow.
        let order = withExtendedLifetime(related) {
            keys.withUnsafeBufferPointer { keys -> [Int] in
                guard let start = keys.baseAddress else { return [Int](indices) }
                return indices.sorted {
                    comparator.compare(start + $0 * width, start + $1 * width) < 0
                }
            }
        }
        return order.map { self[$0] }
    }
}
