// The type of the closure's result tells the ways to select from each other at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension GroupRequest {
    /// Returns the request for aggregates of each group and what it gets from the other groups, ascending by the keys, nil
    /// first, unless the groups are sorted.
    ///
    /// ```swift
    /// let best = lines.grouped { line, product in (line.soldAt.startOfMonth, product.category) }
    ///     .sorted { $0.sum { line, product in line.quantity * product.price }.descending }
    ///     .limit(10)
    ///     .select { group in
    ///         let revenue = group.sum { line, product in line.quantity * product.price }
    ///         return (revenue, group.window().share(of: revenue))
    ///     }
    /// ```
    ///
    /// - Parameter terms: Returns what is selected, of the group and of its windows.
    /// - Returns: The request for rows of the key and what is selected.
    public func select<each Value: Sendable>(
        _ terms: (GroupFields<Model>) -> (repeat GroupTerm<Model, each Value>)
    ) -> SelectRequest<(key: (repeat each Key), values: (repeat each Value))> {
        let terms = terms(GroupFields())
        return select(repeat each terms)
    }

    /// Returns the request for one aggregate of each group, or one value that it gets from the other groups.
    ///
    /// - Parameter term: Returns what is selected, of the group or of its windows.
    /// - Returns: The request for rows of the key and what is selected.
    public func select<Value: Sendable>(
        _ term: (GroupFields<Model>) -> GroupTerm<Model, Value>
    ) -> SelectRequest<(key: (repeat each Key), values: Value)> {
        select(term(GroupFields()))
    }
}
