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

    override func explain(_ query: RowQuery) throws -> String {
        guard let join = query.join else { return try super.explain(query) }
        return JoinPlan(join, query, reader).description
    }
}
