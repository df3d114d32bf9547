// What other libraries call the parts of a request: the compiler tells the right form here.
extension FetchRequestConvertible {
    /// Unavailable: a sort is a closure that names fields.
    @available(
        *,
        unavailable,
        message:
            "use 'sorted { $0.name }', or 'sorted { [$0.name, $0.id.descending] }' for several fields"
    )
    public func sorted<Value>(by field: KeyPath<Model, Value>) -> FetchRequest<Model> { request }

    /// Unavailable: several fields are named in an array.
    @available(
        *,
        unavailable,
        message: "name several fields in an array: 'sorted { [$0.name, $0.id.descending] }'"
    )
    public func sorted<First: SortTerm<Model>, Second: SortTerm<Model>>(
        _ terms: (Fields<Model>) -> (First, Second)
    ) -> FetchRequest<Model> { request }

    /// Unavailable: all fields of a sort are named in one `sorted`.
    @available(
        *,
        unavailable,
        message: "name all fields in one 'sorted { [$0.name, $0.id.descending] }'"
    )
    public func then<Term: SortTerm<Model>>(
        _ term: (Fields<Model>) -> Term
    ) -> FetchRequest<Model> { request }

    /// Unavailable: an offset is set with ``offset(_:)``.
    @available(*, unavailable, message: "use 'limit(10).offset(5)'")
    public func limit(_ limit: Int?, offset: Int) -> FetchRequest<Model> { request }
}

extension SortTerm {
    /// Unavailable: all fields of a sort are named in one `sorted`.
    @available(
        *,
        unavailable,
        message: "name all fields in one 'sorted { [$0.name, $0.id.descending] }'"
    )
    public func then(_ term: some SortTerm<Model>) -> Ordering<Model> { ordering }
}

extension StoredConvertible {
    /// Unavailable: it was renamed to `where(_:)`.
    @available(*, unavailable, renamed: "where(_:)")
    public static func filter(
        _ condition: (Fields<Self>) -> Condition<Self>
    ) -> FetchRequest<Self> { all }
}

extension ChangeStream {
    /// Unavailable: the stream itself is the sequence.
    @available(
        *,
        unavailable,
        message: "iterate over the stream itself: 'for try await change in client.observe(…)'"
    )
    public var values: Self { self }
}
