import DBClientCore

/// What a statement does with the rows of a query.
enum QueryVerb {
    case scan
    case select([Int])
    case group(RenderedGrouping)
    /// Whole rows, and beside each what is computed of those that belong to it.
    case annotate([RowAnnotation])
    case count
    case aggregate(AggregateFunction, column: Int, through: [RelatedRows])
    case distinct(column: Int)
    case update([Int], computing: [RowComputation], returns: Bool = false)
    case delete(returns: Bool = false)
    /// Fields of a table are what is computed from the query's rows.
    case insert(TableSQL, [Int], [RowExpression])

    /// Whether the order of a query's rows decides what the statement does.
    ///
    /// It shows in the result, or a limit or an offset picks by it. How many rows these leave depends on no order.
    func isOrdered(of query: RowQuery) -> Bool {
        switch self {
        case .scan, .select, .annotate, .insert: true
        case .count: false
        default: query.hasWindow
        }
    }

    /// Whether the verb's statement may name other tables beside its own.
    var canJoin: Bool {
        switch self {
        case .update, .delete: false
        default: true
        }
    }
}
