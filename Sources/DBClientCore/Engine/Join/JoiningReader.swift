/// Reads joined rows of an engine that has rows of single entities alone.
final class JoiningReader: DerivedRowsReader {
    override func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        guard let join = query.join else { return try super.select(columns, of: query, visit) }
        guard query.limit != 0 else { return }
        try JoinPlan(join, try query.resolved(by: reader), reader).select(columns, visit)
    }

    override func canGroup(_ grouping: RowGrouping) throws -> Bool {
        guard grouping.query.join != nil else { return try reader.canGroup(grouping) }
        return try JoinCounts(grouping, reader) != nil
    }

    override func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        guard grouping.query.join != nil else { return try reader.group(grouping, visit) }
        if let counts = try JoinCounts(grouping, reader) { return try counts.forEach(visit) }
        try groupSelectedRows(grouping, visit)
    }

    override func explain(_ query: RowQuery) throws -> String {
        guard let join = query.join else { return try super.explain(query) }
        return JoinPlan(join, query, reader).description
    }
}
