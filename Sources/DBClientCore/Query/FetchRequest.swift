// The closure's result tells `sorted` of one term from `sorted` of a list at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload

/// A request for values of a model: which ones, in which order and how many; an immutable value, built by
/// chaining.
///
/// ```swift
/// Character.where { $0.power > 9000 }.sorted { $0.power.descending }.limit(20)
/// ```
///
/// The order is always total: the sort, then the primary key. An error in a request (a property that is not
/// stored, a negative limit, NaN) is kept and thrown by the call that uses the request.
public struct FetchRequest<Model: StoredConvertible>: Sendable {
    /// The request as engines see it.
    private(set) var query: RowQuery
    private(set) var failure: DBClientError?
    /// Whether there may be values for which the condition has no answer.
    private(set) var canFail = false
    /// The score of a value, where the request searches.
    private(set) var rank: RowExpression?

    /// A request for every value, in the order of the primary key.
    public init() {
        query = RowQuery(Model.Storage.schema.entity)
    }

    /// Creates the request that engines see as another one.
    init(_ query: RowQuery) {
        self.query = query
        canFail = query.condition.canFail
    }

    /// Creates the request for the stored values of a model's request.
    ///
    /// The two are the same for an engine: what one finds, the other finds as the values that are
    /// stored.
    public init<Converted: StoredConvertible>(
        _ request: FetchRequest<Converted>
    ) where Converted.Storage == Model {
        self.init(anyOf: request)
    }

    /// Creates the same request for a model that is kept in the same shape.
    init(anyOf request: FetchRequest<some StoredConvertible>) {
        query = request.query
        failure = request.failure
        canFail = request.canFail
        rank = request.rank
    }

    /// Returns a request for the values that also fulfil a condition.
    public func filter(_ condition: (Fields<Model>) -> Condition<Model>) -> Self {
        filter(Condition(condition))
    }

    /// Returns a request for the values that also fulfil a condition.
    public func filter(_ condition: Condition<Model>) -> Self {
        var copy = self
        if condition.canFail || canFail {
            copy.query.condition = .guardedConjunction(query.condition, condition.row)
            copy.canFail = true
        } else {
            copy.query.condition = .conjunction(query.condition, condition.row)
        }
        copy.note(condition.failure)
        if copy.query.condition.isNested(deeperThan: RowCondition.maximumNesting) {
            copy.note(RowCondition.nestedTooDeep(query.entity))
        }
        return copy
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted(_ terms: (Fields<Model>) -> [any SortTerm<Model>]) -> Self {
        sorted(by: terms(Fields()).map { $0.ordering })
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted<Term: SortTerm<Model>>(_ term: (Fields<Model>) -> Term) -> Self {
        sorted(by: [term(Fields()).ordering])
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted(by orderings: [Ordering<Model>]) -> Self {
        var copy = self
        copy.query.orderings = orderings.map(\.row)
        for ordering in orderings {
            copy.note(ordering.failure ?? query.entity.failure(of: ordering.row))
        }
        return copy
    }

    /// Returns the request with at most this many values; nil for all.
    public func limit(_ limit: Int?) -> Self {
        var copy = self
        copy.query.limit = limit
        if let limit, limit < 0 {
            copy.note(
                DBClientError(.invalidRequest, "The limit must not be negative; got \(limit).")
            )
        }
        return copy
    }

    /// Returns the request without its first values.
    public func offset(_ offset: Int) -> Self {
        var copy = self
        copy.query.offset = offset
        if offset < 0 {
            copy.note(
                DBClientError(.invalidRequest, "The offset must not be negative; got \(offset).")
            )
        }
        return copy
    }

    /// The request as engines see it.
    ///
    /// - Throws: `DBClientError` for whatever is wrong with the request or with the model.
    public func rowQuery() throws -> RowQuery {
        try query.entity.validate()
        if let failure { throw failure }
        return query
    }

    /// Finds the values by a condition alone, in place of the present one, the limit and the offset.
    mutating func setCondition(_ condition: Condition<Model>) {
        query.condition = condition.row
        query.limit = nil
        query.offset = 0
        canFail = condition.canFail
        note(condition.failure)
        if condition.row.isNested(deeperThan: RowCondition.maximumNesting) {
            note(RowCondition.nestedTooDeep(query.entity))
        }
    }

    /// Puts the rows together otherwise, and adds conditions on them.
    mutating func setJoin(_ join: RowJoin, where conditions: [RowCondition]) {
        query.join = join
        for condition in conditions {
            query.condition =
                condition.canFail || canFail
                ? .guardedConjunction(query.condition, condition)
                : .conjunction(query.condition, condition)
            if condition.canFail { canFail = true }
        }
    }

    /// Changes how the rows are reached, and notes what is wrong with that.
    mutating func updateWalk(_ body: (inout RowWalk) -> DBClientError?) {
        guard var walk = query.walk else { return }
        let failure = body(&walk)
        query.walk = walk
        note(failure)
    }

    /// Notes how values score, and sorts them so, the best first.
    mutating func sort(byRank rank: RowExpression) {
        self.rank = rank
        query.orderings = [RowOrdering(rank, isDescending: true)]
        note(query.entity.failure(of: query.orderings[0]))
    }

    /// Notes that there may be values for which the condition has no answer.
    mutating func noteComputedValues() { canFail = true }

    mutating func note(_ error: DBClientError?) {
        if failure == nil { failure = error }
    }
}

extension StoredConvertible {
    /// A request for every value, in the order of the primary key.
    public static var all: FetchRequest<Self> { FetchRequest() }

    /// A request for the values that fulfil a condition.
    public static func `where`(
        _ condition: (Fields<Self>) -> Condition<Self>
    ) -> FetchRequest<Self> {
        FetchRequest().filter(condition)
    }
}
