/// Finds the rows of a query from those that come and go: confined to the hub once they are read.
class RowNode {
    /// Takes a row, of which the fields that are looked at are set, and its weight, 1 or -1.
    typealias Output = (_ row: UnsafePointer<Slot>, _ weight: Int) -> Void

    /// Reads the rows, and passes them on.
    func read(in reader: any EngineReader, _ output: Output) throws {}

    /// Takes a row of one of the query's inputs as it was and as it is, and passes on the rows that go and that come.
    ///
    /// - Returns: Whether the row was where it should have been.
    func take(before: RowBatch?, after: RowBatch?, of input: Int, _ output: Output) -> Bool {
        false
    }

    /// Returns the node for a query that is kept.
    ///
    /// - Parameters:
    ///   - query: The query, of which neither order nor window counts.
    ///   - columns: The fields that are looked at beside those that decide which rows there are.
    /// - Returns: The node, without rows.
    static func node(of query: RowQuery, looking columns: Set<Int>) -> RowNode {
        if let join = query.join { return KeptJoin(join, query, looking: columns) }
        if let matches = MatchConditions(query) {
            return KeptMatches(matches, query.entity, looking: columns)
        }
        return OwnRows(query, columns.sorted())
    }
}

/// The rows of one entity, which tell by themselves whether they are among a query's.
private final class OwnRows: RowNode {
    private let query: RowQuery
    private let columns: [Int]

    init(_ query: RowQuery, _ columns: [Int]) {
        self.query = query
        self.columns = columns
    }

    override func read(in reader: any EngineReader, _ output: Output) throws {
        try EntityRows(query.entity, columns).visit(query, in: reader) { output($0, 1) }
    }

    override func take(
        before: RowBatch?,
        after: RowBatch?,
        of input: Int,
        _ output: Output
    ) -> Bool {
        if let before, let after, before.isSame(after, in: columns) { return true }
        if let before { output(before.slots, -1) }
        if let after { output(after.slots, 1) }
        return true
    }
}
