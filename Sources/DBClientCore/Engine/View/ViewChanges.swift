/// What was written to the rows that views are kept from, since the views followed them last.
struct ViewChanges {
    private var logs: [EntitySchema: (log: RowLog, start: Int)] = [:]

    /// Adds what a log has of an entity from a position on.
    mutating func add(_ log: RowLog, of entity: EntitySchema, from start: Int) {
        logs[entity] = (log, start)
    }

    /// Calls a function with each written row of an entity as it was and as it became, where some columns of it changed.
    func forEachRow(
        of entity: EntitySchema,
        in columns: Set<Int>,
        _ body: (RowBatch) -> Void
    ) {
        guard let (log, start) = logs[entity] else { return }
        let columns = Array(columns)
        for position in min(start, log.count)..<log.count {
            let (before, after) = log[position]
            if let before, let after, before.isSame(after, in: columns) { continue }
            if let before { body(before) }
            if let after { body(after) }
        }
    }
}
