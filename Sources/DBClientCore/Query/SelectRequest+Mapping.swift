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
        let selection = self
        if let groups {
            var request = SelectRequest<Result>(groups.map(transform))
            if windowed != nil {
                request.windowed = { selection.selecting($0).map(transform) }
            }
            return request
        }
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

    /// Returns the request for the rows of which a function is true: the best of each kind, by their rank.
    ///
    /// ```swift
    /// let best = Product.all.select { product in
    ///     let category = Window(of: product, by: product.category).sorted(by: product.price.descending)
    ///     return (product.name, category.rank)
    /// }
    /// .filter { name, rank in rank <= 3 }
    /// ```
    ///
    /// The function is asked of each row that the request gives without it, its limit applied, whatever the engine. What the
    /// fields of a value tell belongs into the request's own condition, which an engine may find by an index.
    ///
    /// - Parameter isIncluded: Returns whether a row belongs to the result. It must be the same for equal rows.
    /// - Returns: The request for these rows, which is observed as this one is; with a limit it is read again.
    public func filter(
        _ isIncluded: @escaping @Sendable (Row) throws -> Bool
    ) -> SelectRequest<Row> {
        if let groups { return SelectRequest(groups.filter(isIncluded)).windowedByRows() }
        let run = run
        let request = SelectRequest(of: fields?.filter(isIncluded)) { transaction, rows in
            var selected: [Row] = []
            try run(transaction, nil, &selected)
            for row in selected where try isIncluded(row) { rows.append(row) }
        }
        // A limit behind it is one of the rows that are left.
        return request.windowedByRows()
    }
}
