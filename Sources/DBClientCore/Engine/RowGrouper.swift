/// Groups rows by the values of their keys and computes the aggregates of each group, over slots: without a
/// model and, except for the first row of a group, without a copy.
public struct RowGrouper {
    private let grouping: RowGrouping
    private let terms: [RowGrouping.Term]
    /// Looks up the keys that are not the rows' own; nil where all are.
    private let relatedKeys: RelatedKeys?
    private let table: GroupTable
    private let totals: GroupTotals

    /// Creates a grouper of rows that carry the fields at some positions; `reader` looks up the keys that
    /// are not their own.
    public init(_ grouping: RowGrouping, over columns: [Int], in reader: some EngineReader) {
        self.grouping = grouping
        terms = grouping.allTerms
        func position(of column: Int) -> Int { columns.firstIndex(of: column) ?? 0 }
        relatedKeys =
            grouping.reachesRelatedRows
            ? RelatedKeys(
                grouping.keys,
                of: grouping.query.entity,
                over: columns,
                in: reader
            ) : nil
        table = GroupTable(
            grouping.query.entity,
            relatedKeys == nil
                ? grouping.keys.map { position(of: $0.column) } : Array(grouping.keys.indices)
        )
        totals = GroupTotals(
            terms,
            terms.map { term in
                term.operand.map { position(of: $0.column) } ?? -1
            },
            of: grouping.query.entity
        )
    }

    /// Adds the rows of a batch to their groups.
    public mutating func add(_ batch: RowBatch) throws {
        let groups = totals.groups(of: batch.count)
        for row in 0..<batch.count {
            let slots = batch.slots + row * batch.columnCount
            groups[row] = table.find(try relatedKeys?.keys(of: slots) ?? slots)
        }
        totals.reserve(table.count)
        totals.add(batch, to: groups)
    }

    /// Calls a function with each group that fulfils the condition, ascending by its keys, absent ones first:
    /// the keys, then the aggregates.
    ///
    /// - Throws: `.invalidValue` when an integer sum leaves `Int64`, or one of decimals the range of `Decimal`.
    public func forEach(_ visit: (UnsafeBufferPointer<Slot>) throws -> Void) throws {
        let width = grouping.keys.count
        let arena = RowBuffer(grouping.query.entity, columns: [])
        var row: [Slot] = []
        for group in table.sorted {
            arena.removeAll()
            row.removeAll(keepingCapacity: true)
            for key in 0..<width { row.append(table.key(group, key)) }
            for (index, term) in terms.enumerated() {
                let value = try totals.value(group, index, of: term, grouping.query.entity)
                row.append(value.slot(in: arena))
            }
            let isWanted = grouping.condition.holds { term in
                terms.firstIndex(of: term).map { row[width + $0] } ?? .null
            }
            if isWanted {
                try row.withUnsafeBufferPointer {
                    try visit(UnsafeBufferPointer(rebasing: $0[..<(width + grouping.terms.count)]))
                }
            }
        }
    }
}
