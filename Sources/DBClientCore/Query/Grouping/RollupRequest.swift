/// The groups of a request and the totals beside them: of the groups that are alike in all keys but the last, in all but
/// the last two, and so on, up to one of all values.
///
/// ```swift
/// let report = Line.all.grouped { ($0.date.year, $0.date.month) }.rollup.select(.count, .sum(\.price))
/// for ((year, month), (count, revenue)) in try await client.fetch(report) { … }  // a total where a key is nil
/// ```
public struct RollupRequest<Model: Stored, each Key: ColumnValue>: Sendable {
    let groups: GroupRequest<Model, repeat each Key>

    /// Returns the request for aggregates of each group and total, ascending by the keys, each total behind what it is of.
    ///
    /// - Returns: The request for rows of the keys, nil where a row is a total over them, and the aggregates.
    public func select<each Value: Sendable>(
        _ terms: repeat GroupTerm<Model, each Value>
    ) -> SelectRequest<(key: (repeat (each Key)?), values: (repeat each Value))> {
        var rows: [Result<GroupColumn, DBClientError>] = []
        for term in repeat each terms { rows.append(term.column) }
        let terms = (repeat each terms)
        let plan = RollupPlan(GroupPlan(groups, rows.all))
        return SelectRequest { transaction, rows in
            try plan.run(transaction) { slots, keyCount in
                var row = GroupDecoder(slots, plan.groups)
                rows.append(
                    (
                        key: (repeat try row.next((each Key).self, ofFirst: keyCount)),
                        values: (repeat try row.next((each terms)))
                    )
                )
            }
        }
    }

    /// Returns the request for one aggregate of each group and total, ascending by the keys, each total behind what it is
    /// of.
    public func select<Value: Sendable>(
        _ term: GroupTerm<Model, Value>
    ) -> SelectRequest<(key: (repeat (each Key)?), values: Value)> {
        let plan = RollupPlan(GroupPlan(groups, term.column.map { [$0] }))
        return SelectRequest { transaction, rows in
            try plan.run(transaction) { slots, keyCount in
                var row = GroupDecoder(slots, plan.groups)
                rows.append(
                    (
                        key: (repeat try row.next((each Key).self, ofFirst: keyCount)),
                        values: try row.next(term)
                    )
                )
            }
        }
    }
}

extension GroupRequest {
    /// The groups with the totals beside them.
    ///
    /// A condition on groups is one on totals as well. A sort, a limit and an offset of the groups are refused, since totals stand behind what they are of.
    public var rollup: RollupRequest<Model, repeat each Key> { RollupRequest(groups: self) }
}

/// Asks an engine for the groups, then for the totals, and puts them in order.
struct RollupPlan: Sendable {
    let groups: GroupPlan

    init(_ groups: GroupPlan) {
        self.groups = groups
    }

    /// Visits groups and totals: the slots of all keys, of the aggregates and of the number of keys that the row has, and
    /// that number.
    func run(
        _ transaction: ReadTransaction,
        _ visit: (UnsafeBufferPointer<Slot>, Int) throws -> Void
    ) throws {
        try groups.checkUnsorted()
        let grouping = try groups.mapped(in: transaction)
        let keyCount = grouping.keys.count
        // The number of keys that a row has stands behind its aggregates.
        let width = keyCount + grouping.terms.count + 1
        let bytes = RowBuffer(.constant, columns: [])
        var slots: [Slot] = []
        var counts: [Int] = []
        for count in (0...keyCount).reversed() {
            var level = grouping
            level.keys.removeLast(keyCount - count)
            try transaction.group(level) { group in
                counts.append(count)
                for slot in group[..<count] { slots.append(bytes.owned(slot)) }
                for _ in count..<keyCount { slots.append(.null) }
                for slot in group[count...] { slots.append(bytes.owned(slot)) }
                slots.append(.integer(Int64(count)))
            }
        }
        try withExtendedLifetime(bytes) {
            try slots.withUnsafeBufferPointer { slots in
                let comparator = RowComparator(grouping.keys.map { _ in RowOrdering(column: -1) })
                for row in counts.indices.sorted(by: {
                    Self.precedes(
                        slots,
                        width,
                        (row: $0, counts[$0]),
                        (row: $1, counts[$1]),
                        comparator
                    )
                }) {
                    let start = row * width
                    try visit(
                        UnsafeBufferPointer(rebasing: slots[start..<start + width]),
                        counts[row]
                    )
                }
            }
        }
    }

    /// Whether a row stands before another one: by the keys that both have, then the one that has more of them.
    private static func precedes(
        _ slots: UnsafeBufferPointer<Slot>,
        _ width: Int,
        _ left: (row: Int, count: Int),
        _ right: (row: Int, count: Int),
        _ comparator: RowComparator
    ) -> Bool {
        for key in 0..<min(left.count, right.count) {
            let order = comparator.compare(
                slots[left.row * width + key],
                slots[right.row * width + key],
                by: key
            )
            if order != 0 { return order < 0 }
        }
        return left.count > right.count
    }
}
