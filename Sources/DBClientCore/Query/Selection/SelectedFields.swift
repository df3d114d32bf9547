/// The rows of a request for fields: the fields, and what is made of each row.
@usableFromInline
struct SelectedFields<Row: Sendable>: Sendable {
    let plan: ColumnPlan
    /// Whether a function of the caller's makes the rows, so that equal fields may come to other rows.
    let isMapped: Bool
    /// Whether some rows are left out by what they are, after a limit has taken some.
    private(set) var isFiltered = false
    /// Appends what is made of the fields of a row to others.
    let decode: @Sendable (UnsafeBufferPointer<Slot>, inout [Row]) throws -> Void

    @usableFromInline
    init(
        _ plan: ColumnPlan,
        isMapped: Bool = false,
        decode: @escaping @Sendable (UnsafeBufferPointer<Slot>, inout [Row]) throws -> Void
    ) {
        self.plan = plan
        self.isMapped = isMapped
        self.decode = decode
    }

    /// Returns the rows that a function makes of these.
    func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Row) throws -> Result
    ) -> SelectedFields<Result> {
        let decode = decode
        var mapped = SelectedFields<Result>(plan, isMapped: true) { slots, rows in
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
    ) -> SelectedFields<Row> {
        let decode = decode
        var filtered = SelectedFields<Row>(plan, isMapped: true) { slots, rows in
            let count = rows.count
            try decode(slots, &rows)
            if let row = rows.last, rows.count > count, try !isIncluded(row) { rows.removeLast() }
        }
        filtered.isFiltered = true
        return filtered
    }
}
