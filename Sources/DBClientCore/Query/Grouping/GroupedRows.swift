/// The rows of a request for groups: the groups, and what is made of each.
struct GroupedRows<Row: Sendable>: Sendable {
    let plan: GroupPlan
    /// Whether a function of the caller's makes the rows, so that equal groups may come to other rows.
    let isMapped: Bool
    /// Whether some rows are left out by what they are, after a limit has taken some.
    private(set) var isFiltered = false
    /// Where each property of a selection is among the keys and what is selected; empty where rows are no selection.
    let positions: [Int]
    /// Appends the row of a group to others.
    let decode: @Sendable (UnsafeBufferPointer<Slot>, inout [Row]) throws -> Void

    init(
        _ plan: GroupPlan,
        isMapped: Bool = false,
        positions: [Int] = [],
        decode: @escaping @Sendable (UnsafeBufferPointer<Slot>, inout [Row]) throws -> Void
    ) {
        self.plan = plan
        self.isMapped = isMapped
        self.positions = positions
        self.decode = decode
    }

    /// Appends the rows of all groups that are wanted, in their order.
    func append(
        from transaction: ReadTransaction,
        keptBy sieve: RowSieve?,
        to rows: inout [Row]
    ) throws {
        try plan.run(transaction) { group in
            if sieve?.keeps(group, plan.width) ?? true { try decode(group, &rows) }
        }
    }

    /// Returns the rows that a function makes of these.
    func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Row) throws -> Result
    ) -> GroupedRows<Result> {
        let decode = decode
        var mapped = GroupedRows<Result>(plan, isMapped: true) { slots, rows in
            var one: [Row] = []
            try decode(slots, &one)
            for row in one { rows.append(try transform(row)) }
        }
        mapped.isFiltered = isFiltered
        return mapped
    }

    /// Returns those of the rows of which a function is true.
    func filter(
        _ isIncluded: @escaping @Sendable (Row) throws -> Bool
    ) -> GroupedRows<Row> {
        let decode = decode
        var filtered = GroupedRows<Row>(plan, isMapped: true) { slots, rows in
            let count = rows.count
            try decode(slots, &rows)
            if let row = rows.last, rows.count > count, try !isIncluded(row) { rows.removeLast() }
        }
        filtered.isFiltered = true
        return filtered
    }
}
