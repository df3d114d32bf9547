extension FieldExpression: SortTerm {
    /// Smallest first; absent values come first.
    public var ordering: Ordering<Model> { ascending }

    /// Smallest first; absent values come first.
    public var ascending: Ordering<Model> {
        Ordering(row: RowOrdering(row), failure: sortFailure)
    }

    /// Largest first; absent values come last.
    public var descending: Ordering<Model> {
        Ordering(row: RowOrdering(row, isDescending: true), failure: sortFailure)
    }

    /// Smallest first, absent values before all others.
    public var nilsFirst: Ordering<Model> { ascending.nilsFirst }

    /// Smallest first, absent values after all others.
    public var nilsLast: Ordering<Model> { ascending.nilsLast }

    private var sortFailure: DBClientError? {
        if let failure { return failure }
        if path.isEmpty { return nil }
        return DBClientError(
            .invalidRequest,
            "A request must be sorted by what is computed from fields of the value itself.",
            entity: Model.Storage.schema.entity.name,
            hint: "Sort by a field of a related value."
        )
    }
}

extension FieldExpression where Value: TextValue {
    /// Smallest first, A to Z sorted as a to z.
    public var caseInsensitive: Ordering<Model> { ascending.caseInsensitive }

    /// Sorts as people sort names, smallest first; see ``Ordering/natural``.
    public var natural: Ordering<Model> { ascending.natural }
}
