// The closure's result, and how many parameters it has, tell the ways to sort from each other at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension GroupRequest {
    /// Returns the request with a sort of the groups in place of that by their keys, which decide where groups are alike
    /// in it.
    ///
    /// ```swift
    /// let best = lines.grouped(by: \.product).sorted { $0.sum(\.price).descending }.limit(10)
    /// ```
    public func sorted<Term: GroupSortTerm<Model>>(_ term: (GroupFields<Model>) -> Term) -> Self {
        ordered(by: [term(GroupFields()).groupOrdering])
    }

    /// Returns the request with a sort of the groups, by several terms.
    public func sorted(_ terms: (GroupFields<Model>) -> [any GroupSortTerm<Model>]) -> Self {
        ordered(by: terms(GroupFields()).map { $0.groupOrdering })
    }

    /// Returns the request with a sort of the groups by a function or one of the keys.
    ///
    /// ```swift
    /// let latest = lines.grouped { ($0.date.year, $0.date.month) }.sorted { _, keys in keys[0].descending }
    /// ```
    public func sorted<Term: GroupSortTerm<Model>>(
        _ term: (GroupFields<Model>, GroupKeys<Model>) -> Term
    ) -> Self {
        ordered(by: [term(GroupFields(), GroupKeys(fields)).groupOrdering])
    }

    /// Returns the request with a sort of the groups by several functions and keys.
    public func sorted(
        _ terms: (GroupFields<Model>, GroupKeys<Model>) -> [any GroupSortTerm<Model>]
    ) -> Self {
        ordered(by: terms(GroupFields(), GroupKeys(fields)).map { $0.groupOrdering })
    }

    /// Returns the request with at most this many groups; nil for all.
    public func limit(_ limit: Int?) -> Self {
        var copy = self
        copy.window.limit = limit
        return copy
    }

    /// Returns the request without its first groups.
    public func offset(_ offset: Int) -> Self {
        var copy = self
        copy.window.offset = offset
        return copy
    }

    private func ordered(by orderings: [GroupOrdering<Model>]) -> Self {
        var copy = self
        copy.window.orderings = orderings.map { $0.row }
        return copy
    }
}
