/// The condition of a query as what a row must fulfil by itself, and the rows of other entities that must belong to it.
struct MatchConditions {
    /// Rows of an entity that must belong to a row.
    struct Match {
        let rows: RelatedRows
        /// Whether a row must have none of them.
        let isNegated: Bool

        /// Whether so many rows are what is asked for.
        func holds(for count: Int) -> Bool {
            (rows.count?.holds(for: count) ?? (count > 0)) != isNegated
        }
    }

    /// What the row must fulfil by itself.
    private(set) var own = RowCondition.constant(true)
    /// What must belong to it, one at least.
    private(set) var matches: [Match] = []

    /// Takes a query's condition apart; nil where rows of other entities are none, or not counted by equal fields: they
    /// are totalled, chosen by a limit, or found by rows of further entities.
    init?(_ query: RowQuery) {
        guard query.join == nil, query.walk == nil, !query.condition.canFail, !query.isRanked,
            query.orderings.allSatisfy(\.path.isEmpty)
        else { return nil }
        for operand in query.condition.operands {
            switch operand {
            case .related(let rows): matches.append(Match(rows: rows, isNegated: false))
            case .not(.related(let rows)): matches.append(Match(rows: rows, isNegated: true))
            default:
                if operand.reachesRelatedRows { return nil }
                own = .conjunction(own, operand)
            }
        }
        if matches.isEmpty { return nil }
        for match in matches {
            let rows = match.rows
            guard rows.slice == nil, rows.total == nil, rows.entity.isStored,
                !rows.condition.reachesRelatedRows, !rows.condition.canFail,
                zip(rows.columns, rows.matching).allSatisfy({
                    rows.entity.fields[$0].type == query.entity.fields[$1].type
                })
            else { return nil }
        }
    }
}
