// Requests made of the values that other requests give.
extension FetchRequestConvertible {
    /// Returns a request for the values that this request or another gives, each once.
    ///
    /// ```swift
    /// let strongest = Character.all.sorted { $0.power.descending }.limit(10)
    /// let newest = Character.all.sorted { $0.created.descending }.limit(10)
    /// let shown = try await client.fetch(strongest.union(newest).sorted { $0.name })
    /// ```
    ///
    /// Values are the same when their primary keys are. Each request is asked with its own limit and offset; the result has
    /// neither, and the sort of this request until it is sorted otherwise. It is a request like any other, of one statement on
    /// a relational engine.
    public func union(_ other: some FetchRequestConvertible<Model>) -> FetchRequest<Model> {
        request.combined(with: other.request, Condition.either)
    }

    /// Returns a request for the values that both this request and another give.
    ///
    /// Values are the same when their primary keys are. The result has the sort of this request, as that of
    /// ``union(_:)`` has.
    public func intersection(_ other: some FetchRequestConvertible<Model>) -> FetchRequest<Model> {
        request.combined(with: other.request, Condition.both)
    }

    /// Returns a request for the values that this request gives and another does not.
    ///
    /// Values are the same when their primary keys are. The result has the sort of this request, as that of
    /// ``union(_:)`` has.
    public func subtracting(_ other: some FetchRequestConvertible<Model>) -> FetchRequest<Model> {
        request.combined(with: other.request) { .both($0, !$1) }
    }

    /// Returns a request for the values that this request gives, whose conditions, sort and limit come after its own.
    ///
    /// ```swift
    /// let top = Character.all.sorted { $0.power.descending }.limit(10)
    /// let flyers = top.asSource().filter { $0.canFly }.sorted { $0.name }
    /// ```
    ///
    /// `flyers` are those of the ten strongest that can fly, where `top.filter { $0.canFly }` is the ten strongest of
    /// those that can. The sort is that of this request until it is sorted otherwise.
    public func asSource() -> FetchRequest<Model> {
        request.withoutLimit
    }
}

extension FetchRequest {
    /// The request for the same values, which a condition tells instead of a limit and an offset.
    fileprivate var withoutLimit: FetchRequest {
        var copy = self
        copy.setCondition(isGiven)
        return copy
    }

    /// The condition of the values that the request gives.
    private var isGiven: Condition<Model> {
        let membership = query.membership
        return Condition(
            membership,
            failure: failure ?? failureAsSource,
            canFail: canFail || membership.canFail
        )
    }

    private var failureAsSource: DBClientError? {
        if query.isRanked, query.hasWindow { return DBClientError.rankMisplaced }
        if query.join == nil, query.walk == nil { return nil }
        return DBClientError(
            .unsupported,
            "A request that others are made of must be for values of one model.",
            entity: query.entity.name
        )
    }

    /// Returns the request for the values that are given as two requests combined say, in the order of this one.
    fileprivate func combined(
        with other: FetchRequest,
        _ combine: (Condition<Model>, Condition<Model>) -> Condition<Model>
    ) -> FetchRequest {
        var copy = self
        copy.setCondition(combine(isGiven, other.isGiven))
        return copy
    }
}
