// Fields that are set to what is computed, on an engine that computes nothing itself.
extension EngineWriter {
    /// Reads the rows, computes, and writes them by their keys, in the query's order.
    public func update(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation]
    ) throws -> Int {
        try updateByKeys(query, setting: assignments, computing: computations)
    }

    /// Reads the rows of a query, computes some of their fields, and writes these and others that are known by the keys
    /// of the rows, in the query's order: for an engine that has a way of its own, but not for every update.
    ///
    /// - Returns: How many rows there were.
    public func updateByKeys(
        _ query: RowQuery,
        setting assignments: RowAssignments?,
        computing computations: [RowComputation]
    ) throws -> Int {
        try update(
            query,
            setting: assignments,
            modifying: computations.map {
                FieldModification(column: $0.column, change: .expression($0.expression))
            }
        )
    }
}
