/// How an observation follows commits.
enum Upkeep: Hashable, Sendable {
    /// It is changed by the rows that commits write.
    case kept
    /// It is changed by the rows that commits write, and by those that are like them in what windows go by.
    case keptByWindows
    /// It is read again after each commit that concerns it, or once for several.
    case readAgain(Reason)

    /// Why something is read again.
    enum Reason: String, Sendable {
        case closure = "a closure computes it"
        case window = "the request has a limit or an offset"
        case reached = "its rows are reached through others or put together by another request"
        case joined = "it is one value of joined rows"
        case crossed = "rows are joined by no equality of fields of one type"
        case order = "its order is computed or that of other rows"
        case related = "rows of other models decide which values count"
        case fallible = "its condition may have no answer"
        case heldField = "it is over a field of what values hold, or over what is computed"
        case derived =
            "it is of a field of what values hold, or of a search"
        case converted = "the model is kept in a shape of the client's own"
        case held = "values hold others, or rows of other models decide which values count"
        case dynamic = "rows by stored names are compared as a whole"
    }

    var isKept: Bool {
        switch self {
        case .kept, .keptByWindows: true
        case .readAgain: false
        }
    }

    /// Returns how what is made of a query's rows follows commits.
    init(_ query: RowQuery) {
        self =
            if query.limit != nil || query.offset != 0 {
                .readAgain(.window)
            } else if query.walk != nil {
                .readAgain(.reached)
            } else if let join = query.join {
                Upkeep(join, query)
            } else if query.condition.canFail {
                .readAgain(.fallible)
            } else if !query.unorderedUnlessLimited.isDecidedByOwnRows,
                MatchConditions(query.unorderedUnlessLimited) == nil
            {
                .readAgain(.related)
            } else {
                .kept
            }
    }

    /// Returns how what is made of joined rows follows commits.
    private init(_ join: RowJoin, _ query: RowQuery) {
        let conditions = [query.condition] + join.parts.map(\.condition)
        self =
            if !join.parts.allSatisfy(\.entity.isStored) {
                .readAgain(.reached)
            } else if conditions.contains(where: \.canFail) {
                .readAgain(.fallible)
            } else if conditions.contains(where: \.reachesRelatedRows) || query.isPlacedByOthers {
                .readAgain(.related)
            } else if JoinConditions(join, query).steps.dropFirst()
                .contains(where: \.equalities.isEmpty)
            {
                .readAgain(.crossed)
            } else {
                .kept
            }
    }

    /// Returns how the number of a query's rows follows commits; its limit and offset are no reason.
    init(ofNumberOf query: RowQuery) {
        self.init(RowQuery(query.entity, where: query.condition))
    }

    /// Returns how the values of a query follow commits; its limit and offset are no reason.
    init(ofRows query: RowQuery) {
        self =
            if query.isOfOwnRows {
                .kept
            } else if query.condition.canFail {
                .readAgain(.fallible)
            } else if !query.orderings.allSatisfy(\.isOwnField) {
                .readAgain(.order)
            } else {
                .readAgain(.held)
            }
    }

    /// Returns how the values of a request follow commits.
    static func ofValues<Model: StoredConvertible>(_ request: FetchRequest<Model>) throws -> Upkeep
    {
        Model.self is any Stored.Type
            ? Upkeep(ofRows: try request.rowQuery()) : .readAgain(.converted)
    }

    /// Returns how the number of values of a request follows commits.
    static func ofCount<Model: StoredConvertible>(_ request: FetchRequest<Model>) throws -> Upkeep {
        if Model.self is any EngineConvertible.Type { return .readAgain(.converted) }
        return Upkeep(ofNumberOf: try request.rowQuery())
    }

    /// Returns how a function over a field of a query's rows follows commits.
    static func ofAggregate<Model: StoredConvertible>(
        over place: RowGrouping.Key,
        of query: RowQuery,
        _ model: Model.Type
    ) -> Upkeep {
        if Model.self is any EngineConvertible.Type { return .readAgain(.converted) }
        if !place.isOwnField { return .readAgain(.heldField) }
        if query.join != nil { return .readAgain(.joined) }
        let upkeep = Upkeep(query)
        return upkeep.isKept && !query.unorderedUnlessLimited.isDecidedByOwnRows
            ? .readAgain(.related) : upkeep
    }

    /// Returns how selected fields follow commits.
    static func ofSelection<Row>(_ selected: SelectedFields<Row>) throws -> Upkeep {
        let plan = selected.plan
        var query = try plan.query()
        // What is left out may let another one in.
        if selected.isFiltered, query.limit != nil || query.offset != 0 {
            return .readAgain(.window)
        }
        if !plan.isOfStoredShape { return .readAgain(.converted) }
        guard plan.fields.allSatisfy({ $0.isOfOwnFields || $0.isOfOwnWindow }) else {
            return .readAgain(.derived)
        }
        if !query.orderings.allSatisfy(\.isOwnField) { return .readAgain(.order) }
        (query.limit, query.offset) = (nil, 0)
        let upkeep = Upkeep(query)
        return upkeep.isKept && plan.fields.contains(where: \.isOfOwnWindow)
            ? .keptByWindows : upkeep
    }

    /// Returns how groups follow commits.
    ///
    /// - Parameters:
    ///   - grouping: The groups.
    ///   - isOfStoredShape: Whether their model has one stored shape on every engine.
    /// - Returns: How they do.
    static func ofGroups(_ grouping: RowGrouping, isOfStoredShape: Bool) -> Upkeep {
        if !isOfStoredShape { return .readAgain(.converted) }
        let upkeep = Upkeep(grouping.query)
        return upkeep.isKept && !grouping.derivedFields.allSatisfy(\.isOfOwnFields)
            ? .readAgain(.derived) : upkeep
    }

    /// Returns how a function over a field of a request follows commits.
    static func ofAggregate<Model: StoredConvertible>(
        over field: PartialKeyPath<Model.Storage>,
        of request: FetchRequest<Model>
    ) throws -> Upkeep {
        ofAggregate(
            over: try Model.Storage.place(of: field),
            of: try request.rowQuery(),
            Model.self
        )
    }
}

extension Upkeep: CustomStringConvertible {
    /// The answer in words, with the reason where it is read again.
    var description: String {
        switch self {
        case .kept: "kept: changed by the rows that commits write"
        case .keptByWindows:
            "kept: changed by the rows that commits write, each at the cost of the rows of its windows"
        case .readAgain(let reason):
            "read again after commits that concern it, because \(reason.rawValue)"
        }
    }
}
