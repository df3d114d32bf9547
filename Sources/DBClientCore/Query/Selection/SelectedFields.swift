/// The rows of a request for fields: the fields, and what is made of each row.
@usableFromInline
struct SelectedFields<Row: Sendable>: Sendable {
    let plan: ColumnPlan
    /// Whether a function of the caller's makes the rows, so that equal fields may come to other rows.
    let isMapped: Bool
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
        return SelectedFields<Result>(plan, isMapped: true) { slots, rows in
            var one: [Row] = []
            try decode(slots, &one)
            for row in one { rows.append(try transform(row)) }
        }
    }
}
