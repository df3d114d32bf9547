// How joins are made.
extension FetchRequestConvertible {
    /// Returns a request for the values with those of another model that belong to them.
    ///
    /// ```swift
    /// Line.join(Product.self) { $0.product == $1.id }
    /// Line.join(Product.where { $0.isForSale }) { $0.product == $1.id }
    /// ```
    ///
    /// - Parameters:
    ///   - other: The other model.
    ///   - condition: Whether two values belong together.
    /// - Returns: A request for pairs, as many for a value as values belong to it.
    public func join<Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined2<Model, Other>.Fields) -> Condition<Joined2<Model, Other>>
    ) -> JoinRequest<Joined2<Model, Other>> {
        JoinRequest(request, Other.all, isOptional: false, condition)
    }

    /// Returns a request for the values with those of a request for another model that belong to them.
    ///
    /// - Parameters:
    ///   - other: The request for values of the other model, without a limit.
    ///   - condition: Whether two values belong together.
    /// - Returns: A request for pairs, as many for a value as values belong to it.
    public func join<Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined2<Model, Other>.Fields) -> Condition<Joined2<Model, Other>>
    ) -> JoinRequest<Joined2<Model, Other>> {
        JoinRequest(request, other, isOptional: false, condition)
    }

    /// Returns a request for every value, with those of another model that belong to it or with nil.
    ///
    /// - Parameters:
    ///   - other: The other model.
    ///   - condition: Whether two values belong together.
    /// - Returns: A request for pairs, of which the second is nil where no value belongs to the first.
    public func leftJoin<Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined2<Model, Other?>.Fields) -> Condition<Joined2<Model, Other?>>
    ) -> JoinRequest<Joined2<Model, Other?>> {
        JoinRequest(request, Other.all, isOptional: true, condition)
    }

    /// Returns a request for every value, with those of a request for another model that belong to it or with nil.
    ///
    /// - Parameters:
    ///   - other: The request for values of the other model, without a limit.
    ///   - condition: Whether two values belong together.
    /// - Returns: A request for pairs, of which the second is nil where no value belongs to the first.
    public func leftJoin<Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined2<Model, Other?>.Fields) -> Condition<Joined2<Model, Other?>>
    ) -> JoinRequest<Joined2<Model, Other?>> {
        JoinRequest(request, other, isOptional: true, condition)
    }
}

extension StoredConvertible {
    /// Returns a request for the values with those of another model that belong to them.
    public static func join<Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined2<Self, Other>.Fields) -> Condition<Joined2<Self, Other>>
    ) -> JoinRequest<Joined2<Self, Other>> {
        all.join(other, on: condition)
    }

    /// Returns a request for the values with those of a request for another model that belong to them.
    public static func join<Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined2<Self, Other>.Fields) -> Condition<Joined2<Self, Other>>
    ) -> JoinRequest<Joined2<Self, Other>> {
        all.join(other, on: condition)
    }

    /// Returns a request for every value, with those of another model that belong to it or with nil.
    public static func leftJoin<Other: StoredConvertible>(
        _ other: Other.Type,
        on condition: (Joined2<Self, Other?>.Fields) -> Condition<Joined2<Self, Other?>>
    ) -> JoinRequest<Joined2<Self, Other?>> {
        all.leftJoin(other, on: condition)
    }

    /// Returns a request for every value, with those of a request for another model that belong to it or with nil.
    public static func leftJoin<Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        on condition: (Joined2<Self, Other?>.Fields) -> Condition<Joined2<Self, Other?>>
    ) -> JoinRequest<Joined2<Self, Other?>> {
        all.leftJoin(other, on: condition)
    }
}

extension JoinRequest {
    fileprivate init<Model: StoredConvertible, Other: StoredConvertible>(
        _ first: FetchRequest<Model>,
        _ other: FetchRequest<Other>,
        isOptional: Bool,
        _ condition: (Rows.Fields) -> Condition<Rows>
    ) {
        request = FetchRequest(joining: first, other, isOptional: isOptional)
        let (condition, scope) = Rows.make(condition)
        request.join(on: condition.checked(scope))
    }

    /// Returns the request with one more model.
    func adding<More: JoinedRows, Other: StoredConvertible>(
        _ other: FetchRequest<Other>,
        isOptional: Bool,
        _ condition: (More.Fields) -> Condition<More>
    ) -> JoinRequest<More> {
        var joined = JoinRequest<More>(
            FetchRequest(joining: request, other, isOptional: isOptional)
        )
        let (condition, scope) = More.make(condition)
        joined.request.join(on: condition.checked(scope))
        return joined
    }
}
