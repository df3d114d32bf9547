/// Which of the rows that fulfil a condition are meant: those at some places of an order.
public struct RowSlice: Hashable, Sendable {
    /// The sort, which the primary key makes total.
    public var orderings: [RowOrdering]
    /// The greatest number of rows; nil for all that follow the skipped ones.
    public var limit: Int?
    /// The number of rows to skip first.
    public var offset: Int

    /// Creates a slice of the rows in an order.
    public init(orderings: [RowOrdering], limit: Int?, offset: Int) {
        self.orderings = orderings
        self.limit = limit
        self.offset = offset
    }
}

extension RowSlice {
    /// Whether there may be rows without a place in the order.
    var canFail: Bool { orderings.contains { $0.expression?.canFail ?? false } }
}

extension RowQuery {
    /// Whether the query has a limit or an offset, and so may leave out rows at the beginning or the end.
    package var hasWindow: Bool { limit != nil || offset > 0 }

    /// The condition of the rows that the query gives: its own, or being among those that its limit and offset leave.
    var membership: RowCondition {
        guard hasWindow else { return condition }
        if limit == 0 { return .constant(false) }
        var rows = RelatedRows(
            entity,
            entity.primaryKey,
            matching: entity.primaryKey,
            where: condition
        )
        rows.slice = RowSlice(orderings: orderings, limit: limit, offset: offset)
        return .related(rows)
    }
}

extension RelatedRows {
    /// The query for the rows that count, whatever row they belong to.
    public var query: RowQuery {
        RowQuery(
            entity,
            where: condition,
            orderings: slice?.orderings ?? [],
            limit: slice?.limit,
            offset: slice?.offset ?? 0
        )
    }
}

extension RowCondition {
    /// Whether a part of the condition is about a slice of an entity's rows, which any change of one may move.
    var hasSlices: Bool {
        switch self {
        case .not(let operand): operand.hasSlices
        case .all(let operands), .any(let operands): operands.contains(where: \.hasSlices)
        case .guarded(let guarding, let guarded): guarding.hasSlices || guarded.hasSlices
        case .related(let rows): rows.slice != nil || rows.condition.hasSlices
        default: false
        }
    }
}
