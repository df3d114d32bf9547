// What other libraries call what a field can do: the compiler tells the name here.
extension Field where Value: TextValue {
    /// Unavailable: it was renamed to ``hasPrefix(_:ignoringCase:)``.
    @available(*, unavailable, renamed: "hasPrefix(_:)")
    public func starts(with prefix: String) -> Condition<Model> { hasPrefix(prefix) }

    /// Unavailable: it is ``isLike(_:ignoringCase:)``, with `*` and `?` in place of `%` and `_`.
    @available(*, unavailable, message: "use 'isLike', with '*' and '?' for '%' and '_'")
    public func like(_ pattern: String) -> Condition<Model> { isLike(pattern) }

    /// Unavailable: no condition depends on a locale.
    @available(
        *,
        unavailable,
        message: "use 'containsFolding(_:)', the same in every locale"
    )
    public func localizedStandardContains(_ text: String) -> Condition<Model> {
        contains(text, ignoringCase: true)
    }

    /// Unavailable: no condition depends on a locale.
    @available(
        *,
        unavailable,
        message: "use 'contains(_:ignoringCase: true)', the same in every locale"
    )
    public func localizedCaseInsensitiveContains(_ text: String) -> Condition<Model> {
        contains(text, ignoringCase: true)
    }
}

extension Field where Value: StorableValue {
    /// Unavailable: it was renamed to ``isIn(_:)``.
    @available(*, unavailable, renamed: "isIn(_:)")
    public func `in`(_ values: some Sequence<Value>) -> Condition<Model> { isIn(values) }
}

extension Field {
    /// Unavailable: it was renamed to ``ascending``.
    @available(*, unavailable, renamed: "ascending")
    public var asc: Ordering<Model> { ascending }

    /// Unavailable: it was renamed to ``descending``.
    @available(*, unavailable, renamed: "descending")
    public var desc: Ordering<Model> { descending }
}

extension FetchRequestConvertible {
    /// Unavailable: it was renamed to `filter(_:)`.
    @available(*, unavailable, renamed: "filter(_:)")
    public func `where`(
        _ condition: (Fields<Model>) -> Condition<Model>
    ) -> FetchRequest<Model> {
        request.filter(condition)
    }
}
