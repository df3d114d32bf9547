// What an engine needs that cannot compare text naturally itself.
extension RowQuery {
    /// Whether the query sorts or compares text naturally.
    public var usesNaturalOrder: Bool {
        orderings.contains { $0.text == .natural } || condition.usesNaturalOrder
    }
}

extension RowCondition {
    fileprivate var usesNaturalOrder: Bool {
        switch self {
        case .compare(_, _, _, .natural): true
        case .not(let operand): operand.usesNaturalOrder
        case .all(let operands), .any(let operands): operands.contains(where: \.usesNaturalOrder)
        case .related(let rows): rows.condition.usesNaturalOrder
        default: false
        }
    }

    /// A condition without natural comparisons that every row fulfils which fulfils this one.
    fileprivate var withoutNaturalOrder: RowCondition {
        guard usesNaturalOrder else { return self }
        guard case .all(let operands) = self else { return .constant(true) }
        return .all(operands.filter { !$0.usesNaturalOrder })
    }
}

extension EngineReader {
    /// Returns the rows of a query in its order, with a natural order applied here: the engine gives
    /// the rows that can be in the result, all of which are in memory at once.
    public func rowsInNaturalOrder(_ query: RowQuery) throws -> RowBuffer {
        let entity = query.entity
        let condition = try query.resolved(by: self).condition
        let predicate = RowPredicate(condition, of: entity)
        let rows = RowBuffer(entity)
        try scan(RowQuery(entity, where: query.condition.withoutNaturalOrder)) { batch in
            for row in 0..<batch.count where predicate.matches(BatchRow(batch: batch, row: row)) {
                rows.append(copying: batch.slots + row * batch.columnCount)
            }
            return true
        }
        let order = query.totalOrder
        let related = order.map { RelatedField($0, in: self) }
        var keys: [Slot] = []
        keys.reserveCapacity(rows.count * order.count)
        for row in 0..<rows.count {
            let row = BatchRow(batch: rows.batch, row: row)
            for (ordering, field) in zip(order, related) {
                keys.append(try field?.slot(of: row) ?? row.slot(ordering.column))
            }
        }
        let comparator = RowComparator(order)
        // The related fields own what some of the keys borrow.
        let sorted = withExtendedLifetime(related) {
            keys.withUnsafeBufferPointer { keys -> [Int] in
                guard let start = keys.baseAddress else { return [] }
                return (0..<rows.count).sorted {
                    comparator.compare(start + $0 * order.count, start + $1 * order.count) < 0
                }
            }
        }
        return rows.subset(Array(sorted.dropFirst(query.offset).prefix(query.limit ?? .max)))
    }

    /// Returns a query for the rows of another, by their keys: one that compares nothing naturally.
    ///
    /// Its order is that of the keys.
    public func queryByKeys(_ query: RowQuery) throws -> RowQuery {
        let rows = try rowsInNaturalOrder(query)
        let columns = query.entity.primaryKey
        let keys = rows.withBatch { batch in
            (0..<batch.count).map { row in columns.map { StorageValue(batch[row, $0]) } }
        }
        return RowQuery(
            query.entity,
            where: keys.isEmpty ? .constant(false) : .keys(columns, in: keys)
        )
    }
}
