/// How an observation follows commits.
enum Upkeep: Hashable, Sendable {
    /// It is changed by the rows that commits write.
    case kept
    /// It is read again after each commit that concerns it, or once for several.
    case readAgain(Reason)

    /// Why something is read again.
    enum Reason: String, Sendable {
        case closure = "a closure computes it"
        case window = "the request has a limit or an offset"
        case joined = "its rows are joined or reached through others"
        case related = "rows of other models decide which values count"
        case fallible = "its condition may have no answer"
        case heldField = "it is over a field of what values hold, or over what is computed"
        case converted = "the model is kept in a shape of the client's own"
        case held = "values hold others, or rows of other models decide which values count"
        case dynamic = "rows by stored names are compared as a whole"
        case several = "rows are not the groups of one request"
    }

    var isKept: Bool { self == .kept }

    /// Returns how what is made of a query's rows follows commits.
    init(_ query: RowQuery) {
        self =
            if query.limit != nil || query.offset != 0 {
                .readAgain(.window)
            } else if query.join != nil || query.walk != nil {
                .readAgain(.joined)
            } else if query.condition.canFail {
                .readAgain(.fallible)
            } else if !query.unorderedUnlessLimited.isDecidedByOwnRows {
                .readAgain(.related)
            } else {
                .kept
            }
    }

    /// Returns how the rows of a query, or their number, follow commits; their limit and offset are no reason.
    init(ofRows query: RowQuery) {
        self = query.isOfOwnRows ? .kept : .readAgain(.held)
    }

    /// Returns how the values of a request follow commits.
    static func ofValues<Model: StoredConvertible>(_ request: FetchRequest<Model>) throws -> Upkeep
    {
        Model.self is any Stored.Type ? try ofCount(request) : .readAgain(.converted)
    }

    /// Returns how the number of values of a request follows commits.
    static func ofCount<Model: StoredConvertible>(_ request: FetchRequest<Model>) throws -> Upkeep {
        if Model.self is any EngineConvertible.Type { return .readAgain(.converted) }
        return Upkeep(ofRows: try request.rowQuery())
    }

    /// Returns how a function over a field of a query's rows follows commits.
    static func ofAggregate<Model: StoredConvertible>(
        over place: RowGrouping.Key,
        of query: RowQuery,
        _ model: Model.Type
    ) -> Upkeep {
        if Model.self is any EngineConvertible.Type { return .readAgain(.converted) }
        if !place.isOwnField { return .readAgain(.heldField) }
        return Upkeep(query)
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
        return upkeep.isKept && !grouping.derivedFields.isEmpty ? .readAgain(.heldField) : upkeep
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
        case .readAgain(let reason):
            "read again after commits that concern it, because \(reason.rawValue)"
        }
    }
}
