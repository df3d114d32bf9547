extension FieldExpression: SortTerm {
    /// Smallest first; absent values come first.
    public var ordering: Ordering<Model> { ascending }

    /// Smallest first; absent values come first.
    public var ascending: Ordering<Model> {
        Ordering(row: RowOrdering(row, path: path), failure: sortFailure)
    }

    /// Largest first; absent values come last.
    public var descending: Ordering<Model> {
        Ordering(
            row: RowOrdering(row, isDescending: true, path: path),
            failure: sortFailure
        )
    }

    /// Smallest first, absent values before all others.
    public var nilsFirst: Ordering<Model> { ascending.nilsFirst }

    /// Smallest first, absent values after all others.
    public var nilsLast: Ordering<Model> { ascending.nilsLast }

    private var sortFailure: DBClientError? {
        if failure != nil || path.isEmpty { return failure }
        if row.isRank { return DBClientError.rankMisplaced }
        do throws(DBClientError) {
            // Where the path leads nowhere, there must be a value as well.
            _ = try ExpressionProgram(row, of: entity).value(for: AbsentRow())
            return nil
        } catch {
            return error
        }
    }
}

extension FieldExpression where Value: TextValue {
    /// Smallest first, A to Z sorted as a to z.
    public var caseInsensitive: Ordering<Model> { ascending.caseInsensitive }

    /// Sorts as people sort names, smallest first; see ``Ordering/natural``.
    public var natural: Ordering<Model> { ascending.natural }
}
