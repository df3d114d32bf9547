// The closure's result tells `sorted` of one term from `sorted` of a list at every call site.
// swift-format-ignore: AmbiguousTrailingClosureOverload

/// A request for the descendants or the ancestors of values, with their depth; an immutable value, built by chaining.
///
/// ```swift
/// let tree = Category.descendants(of: 1, through: \.parent)
///     .includingStart()
///     .sorted { $0.title }
///     .order(.depthFirst)
/// for node in try await client.fetch(tree) {
///     print(String(repeating: "  ", count: node.depth), node.model.title)
/// }
/// ```
///
/// Each value is there once, at the least depth, whatever ways lead to it. So a walk ends where values lead in a circle;
/// ``refusingCircles()`` makes an error of that. A relational engine runs one recursive statement; the others walk level by
/// level.
public struct TreeRequest<Model: StoredConvertible>: Sendable {
    /// The request for the rows of the walk, each with its depth as the last field.
    var request: FetchRequest<TreeRows<Model>>
    private(set) var order = TreeOrder.breadthFirst
    private(set) var hasPaths = false
    private(set) var refusesCircles = false

    init(_ request: FetchRequest<TreeRows<Model>>) {
        self.request = request
    }

    /// Returns the request for the values that also fulfil a condition; the walk goes on through the others.
    public func filter(_ condition: (Fields<Model>) -> Condition<Model>) -> Self {
        filter(Condition(condition))
    }

    /// Returns the request for the values that also fulfil a condition; the walk goes on through the others.
    public func filter(_ condition: Condition<Model>) -> Self {
        var copy = self
        copy.request = request.filter(
            Condition(condition.row, failure: condition.failure, canFail: condition.canFail)
        )
        return copy
    }

    /// Returns the request for the values that also fulfil a condition; the walk goes on through the others.
    public func `where`(_ condition: (Fields<Model>) -> Condition<Model>) -> Self {
        filter(condition)
    }

    /// Returns the request without the values that fulfil a condition, and without what is reached through them alone.
    ///
    /// What the walk starts from is not asked.
    public func pruned(where condition: (Fields<Model>) -> Condition<Model>) -> Self {
        let condition = Condition(condition)
        var copy = self
        copy.request.note(condition.failure)
        let entity = Model.storedEntity
        if condition.canFail {
            copy.request.note(
                DBClientError(
                    .unsupported,
                    "A condition that may have no answer must not prune a tree.",
                    entity: entity.name,
                    hint: "Use it in filter, or keep what has no answer from it."
                )
            )
        }
        copy.request.updateWalk {
            $0.passing = .conjunction($0.passing, .not(condition.row))
            return $0.passing.isNested(deeperThan: RowCondition.maximumNesting)
                ? RowCondition.nestedTooDeep(entity) : nil
        }
        return copy
    }

    /// Returns the request with a sort of the values of one depth in place of the present one; the primary key comes last.
    public func sorted<Term: SortTerm<Model>>(_ term: (Fields<Model>) -> Term) -> Self {
        sorted(by: [term(Fields()).ordering])
    }

    /// Returns the request with a sort of the values of one depth in place of the present one; the primary key comes last.
    public func sorted(_ terms: (Fields<Model>) -> [any SortTerm<Model>]) -> Self {
        sorted(by: terms(Fields()).map { $0.ordering })
    }

    /// Returns the request with a sort of the values of one depth in place of the present one; the primary key comes last.
    public func sorted(by orderings: [Ordering<Model>]) -> Self {
        var copy = self
        copy.request = request.sorted(
            by: [Ordering(row: TreeRows<Model>.depthOrdering, failure: nil)]
                + orderings.map { Ordering(row: $0.row, failure: $0.failure) }
        )
        return copy
    }

    /// Returns the request with its values in an order; breadth-first unless another is asked for.
    ///
    /// In depth-first order the rows of the whole walk are in memory.
    public func order(_ order: TreeOrder) -> Self {
        var copy = self
        copy.order = order
        return copy
    }

    /// Returns the request for values of no greater depth, and for no more than a lesser limit asks for.
    public func depth(atMost depth: Int) -> Self {
        var copy = self
        copy.request.updateWalk {
            $0.maximumDepth = min($0.maximumDepth ?? depth, depth)
            return depth < 0
                ? DBClientError(
                    .invalidRequest,
                    "The greatest depth must not be negative; got \(depth).",
                    entity: $0.entity.name
                ) : nil
        }
        return copy
    }

    /// Returns the request with the values that the walk starts from, at depth zero.
    public func includingStart() -> Self {
        var copy = self
        copy.request.updateWalk {
            $0.includesStart = true
            return nil
        }
        return copy
    }

    /// Returns the request for values that know the way from the start to them: ``TreeNode/path``.
    ///
    /// Where several ways are equally short, the way is by the first value of the depth before in breadth-first order.
    /// Through a to-many relationship the links are read as well, and the rows of the whole walk are in memory.
    public func withPaths() -> Self {
        var copy = self
        copy.hasPaths = true
        return copy
    }

    /// Returns the request that throws `.constraintViolation` where a value that is walked leads back to itself.
    ///
    /// The error's key is that of a value that leads to one before it on its way. The rows of the whole walk are in memory.
    public func refusingCircles() -> Self {
        var copy = self
        copy.refusesCircles = true
        return copy
    }

    /// Returns the request with at most this many values; nil for all.
    public func limit(_ limit: Int?) -> Self {
        var copy = self
        copy.request = request.limit(limit)
        return copy
    }

    /// Returns the request without its first values.
    public func offset(_ offset: Int) -> Self {
        var copy = self
        copy.request = request.offset(offset)
        return copy
    }
}

/// The order of the values of a tree or a graph.
public enum TreeOrder: Hashable, Sendable {
    /// By depth, then by the request's sort, then by primary key.
    case breadthFirst
    /// Each value before its descendants, and these before the next value; values with the same value before them by the
    /// request's sort, then by primary key.
    ///
    /// A value stands once, behind the first of those in breadth-first order that lead to it in the fewest steps.
    case depthFirst
}

extension TreeRows {
    /// Ascending by depth, which is the last field of the rows of a tree.
    static var depthOrdering: RowOrdering {
        RowOrdering(column: schema.entity.fields.count - 1)
    }
}

extension TreeRequest {
    /// Returns the request for the values of which a field is also true: `filter { $0.isActive }`.
    @_disfavoredOverload
    public func filter(_ condition: (Fields<Model>) -> Field<Model, Bool>) -> Self {
        filter { condition($0) == true }
    }

    /// Returns the request for the values of which a field is also true: `where { $0.isActive }`.
    @_disfavoredOverload
    public func `where`(_ condition: (Fields<Model>) -> Field<Model, Bool>) -> Self {
        filter { condition($0) == true }
    }

    /// Returns the request without the values of which a field is true, and without what is reached through them alone.
    @_disfavoredOverload
    public func pruned(where condition: (Fields<Model>) -> Field<Model, Bool>) -> Self {
        pruned { condition($0) == true }
    }
}
