// The closure's result tells `sorted` of one term from `sorted` of a list at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload

/// A request for values of several models that belong together; an immutable value, built by chaining.
///
/// ```swift
/// let lines = Line.join(Product.self) { $0.product == $1.id }
///     .leftJoin(Category.self) { line, product, category in product.category == category.id }
///     .filter { line, product, category in line.quantity > 1 }
///     .sorted { line, product, category in product.name }
/// for (line, product, category) in try await client.fetch(lines) { … }
/// let report = try await client.fetch(
///     lines.select { line, product, category in (product.name, line.price * line.quantity, category.name) })
/// ```
///
/// A closure that looks at the first model alone names them all, `{ line, _ in line.price }`. The order of the rows is always total: the
/// sort, then the primary keys of the models in their order, absent ones first. A relational engine runs one statement; an
/// engine without one joins by keys, by indexes and by hashes, with the rows of all models but the first in memory.
public struct JoinRequest<Rows: JoinedRows>: Sendable {
    /// The request for the joined rows.
    var request: FetchRequest<Rows>

    init(_ request: FetchRequest<Rows>) {
        self.request = request
    }

    /// Returns the request for the rows that also fulfil a condition.
    public func filter(
        _ condition: (Rows.Fields) -> Condition<Rows>
    ) -> Self {
        let (condition, scope) = Rows.make(condition)
        return Self(request.filter(condition.checked(scope)))
    }

    /// Returns the request for the rows that also fulfil a condition.
    public func `where`(
        _ condition: (Rows.Fields) -> Condition<Rows>
    ) -> Self {
        filter(condition)
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted<Term: SortTerm<Rows>>(_ term: (Rows.Fields) -> Term) -> Self {
        Self(request.sorted(by: [Rows.make(term).0.ordering]))
    }

    /// Returns the request with a sort in place of the present one.
    public func sorted(_ terms: (Rows.Fields) -> [any SortTerm<Rows>]) -> Self {
        Self(request.sorted(by: Rows.make(terms).0.map { $0.ordering }))
    }

    /// Returns the request with at most this many rows; nil for all.
    public func limit(_ limit: Int?) -> Self {
        Self(request.limit(limit))
    }

    /// Returns the request without its first rows.
    public func offset(_ offset: Int) -> Self {
        Self(request.offset(offset))
    }
}

extension Condition {
    /// Returns the condition, or what is wrong where it is on fields of another closure.
    func checked(_ scope: Int) -> Condition {
        Condition(row, failure: failure ?? failure(besides: scope), canFail: canFail)
    }
}
