/// The values of a query's rows by which what belongs to them is found, where looking them up is cheaper than a look at all
/// rows of the other entity.
final class OwnValues {
    private let rows: RowQuery?
    private let reader: any EngineReader
    private var known: [Int: [StorageValue]?] = [:]

    /// So many rows are looked up at most, which is what an engine makes of a list at once.
    private static let limit = 1_000

    /// Creates the values of the rows that fulfil what a query asks of them alone.
    init(_ query: RowQuery, _ reader: some EngineReader) {
        self.reader = reader
        // What may have no answer for a row is not asked of more rows than the query does.
        let conditions = query.condition.operands.filter { !$0.reachesRelatedRows && !$0.canFail }
        rows =
            conditions.isEmpty || query.join != nil || query.walk != nil
            ? nil : RowQuery(query.entity, where: .all(conditions))
    }

    /// Returns a field of the rows and its values, which related rows must have one of; nil where all of these are looked
    /// at.
    ///
    /// The numbers of rows decide: the rows must be no more than those that are looked up, so that finding them costs
    /// less than it saves, and those of them that fulfil the condition few.
    func values(
        lookedUpIn related: RelatedRows
    ) throws -> (column: Int, values: [StorageValue])? {
        guard let rows, let column = related.matching.first,
            !reader.hints(for: related.entity).looksAtEveryRow,
            related.isIndexed, !related.condition.canFail,
            let count = try reader.rowCount(of: rows.entity),
            let others = try reader.rowCount(of: related.entity), count <= others,
            let values = try values(of: column, rows)
        else { return nil }
        return (column, values)
    }

    private func values(of column: Int, _ rows: RowQuery) throws -> [StorageValue]? {
        if let known = known[column] { return known }
        var query = rows
        query.limit = Self.limit + 1
        var values = Set<StorageValue>()
        var count = 0
        try reader.select([column], of: query) { batch in
            count += batch.count
            for row in 0..<batch.count where !batch[row, 0].isNull {
                values.insert(StorageValue(batch[row, 0]))
            }
            return true
        }
        let found = count > Self.limit ? nil : Array(values)
        known[column] = .some(found)
        return found
    }
}

extension RelatedRows {
    /// Whether a key or an index begins with the first of the columns.
    fileprivate var isIndexed: Bool {
        entity.primaryKey.first == columns.first
            || entity.indexes.contains { $0.fields.first == columns.first }
    }
}
