// Rows of another type instead of tuples.
extension SelectRequest {
    /// Returns the request for what a function makes of each row.
    ///
    /// ```swift
    /// let rows = lines.select { ($1.name, $0.quantity * $1.price) }.map { ReportRow(name: $0.0, revenue: $0.1) }
    /// ```
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Row) throws -> Result
    ) -> SelectRequest<Result> {
        if let groups { return SelectRequest<Result>(groups.map(transform)) }
        let selection = self
        let run = run
        var request = SelectRequest<Result>(of: fields?.map(transform)) { transaction, rows in
            var selected: [Row] = []
            try run(transaction, nil, &selected)
            rows.reserveCapacity(rows.count + selected.count)
            for row in selected { rows.append(try transform(row)) }
        }
        // As many rows are made of others.
        request.windowed = { selection.selecting($0).map(transform) }
        return request
    }
}
