/// Which commits concern a reader of a query's rows.
struct QueryDependencies {
    /// The entities that the rows depend on.
    let entities: [EntitySchema]
    /// The names of ``entities``, by which commits are looked up.
    let names: Set<EntityName>
    /// Whether each row by itself tells whether it counts, and for what.
    let isOfOwnRows: Bool
    /// The field and the value that a row must have; nil when others count as well.
    let selector: RowSelector?
    private let bounds: RowBounds?

    init(_ query: RowQuery) {
        entities = Array(query.dependencies)
        names = Set(entities.map(\.exactName))
        isOfOwnRows = query.isOfOwnRows
        selector = isOfOwnRows ? RowSelector(query) : nil
        bounds = isOfOwnRows ? RowBounds(query) : nil
    }

    /// Creates the dependencies of what the own fields of a query's rows decide, whatever their values hold: the query is
    /// ``RowQuery/isDecidedByOwnRows``.
    init(ownFieldsOf query: RowQuery) {
        entities = [query.entity]
        names = [query.entity.exactName]
        isOfOwnRows = true
        selector = RowSelector(query)
        bounds = RowBounds(query)
    }

    /// Has what is committed from here on captured, so that it comes or is in what is read.
    func watch(through hub: ChangeHub) {
        hub.changeWatches { $0.changing(entities) { $0.add(within: bounds) } }
    }

    /// Stops capturing what `watch(through:)` had captured.
    func endWatching(through hub: ChangeHub) {
        hub.changeWatches { $0.changing(entities) { $0.remove(within: bounds) } }
    }
}
