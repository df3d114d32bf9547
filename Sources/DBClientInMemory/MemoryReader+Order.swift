import DBClientCore

extension [MemoryRow] {
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

extension [Slot] {
    /// Computes a function over the values of a field, none of them null.
    func aggregate(
        _ function: AggregateFunction,
        field: FieldSchema,
        of entity: EntitySchema
    ) throws -> StorageValue {
        guard let first else { return .null }
        switch function {
        case .minimum:
            return StorageValue(reduce(first) { Slot.compare($1, $0) < 0 ? $1 : $0 })
        case .maximum:
            return StorageValue(reduce(first) { Slot.compare($1, $0) > 0 ? $1 : $0 })
        case .sum where first.kind == .integer:
            guard let sum = Int64(exactly: integerSum) else {
                throw DBClientError.sumOutOfRange(entity, field)
            }
            return .integer(sum)
        case .sum:
            return .real(realSum.value)
        case .average:
            return .real(
                first.kind == .integer
                    ? Double(integerSum) / Double(count) : realSum.divided(by: count)
            )
        }
    }

    /// The exact sum: what a partial sum leaves the range by, a later value may bring back.
    private var integerSum: Int128 { reduce(0) { $0 + Int128($1.integer) } }
    private var realSum: RealSum { reduce(into: RealSum()) { $0.add($1.real) } }
}
