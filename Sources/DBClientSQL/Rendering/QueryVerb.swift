import DBClientCore

/// What a statement does with the rows of a query.
enum QueryVerb {
    case scan
    case select([Int])
    case group(RenderedGrouping)
    case count
    case aggregate(AggregateFunction, column: Int, through: [RelatedRows])
    case distinct(column: Int)
    case update([Int])
    case delete

    /// Whether the order of the rows shows in the result even without a limit.
    var isOrdered: Bool {
        switch self {
        case .scan, .select: true
        default: false
        }
    }
}
