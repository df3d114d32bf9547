// Requests inside of conditions on another model, which name its value by equalities.
extension FetchRequestConvertible {
    /// True of a value to which values of the request belong: they match it in fields.
    ///
    /// ```swift
    /// let buyers = Customer.where { customer in
    ///     Order.where { $0.total > 100 }.exists { order in order.customer == customer.id }
    /// }
    /// ```
    ///
    /// The closure has equalities of a field of each model, joined by `&&`; what else values must fulfil is said by the
    /// request's own condition. Where the request has a limit, its first values are meant, whatever they belong to.
    public func exists<Outer>(_ match: (Fields<Model>) -> FieldMatch) -> Condition<Outer> {
        let fields = Fields<Model>()
        return related(match(fields), fields.scope, nil)
    }

    /// How many values of the request belong to a value, to be compared with a constant:
    /// `Order.all.count { order in order.customer == customer.id } > 3`.
    public func count<Outer>(_ match: (Fields<Model>) -> FieldMatch) -> FieldCount<Outer> {
        let fields = Fields<Model>()
        let match = match(fields)
        return FieldCount(
            rows: { related(match, fields.scope, $0) },
            annotation: {
                let condition: Condition<Outer> = related(match, fields.scope, nil)
                if let failure = condition.failure { throw failure }
                guard case .related(let rows) = condition.row else {
                    throw Subquery.unrelated(Model.Storage.schema.entity)
                }
                return RowAnnotation(rows, .count)
            }
        )
    }

    private func related<Outer>(
        _ match: FieldMatch,
        _ scope: Int,
        _ count: RowCount?
    ) -> Condition<Outer> {
        let sides = match.pairs.map { pair in
            pair.left.scope == scope
                ? (own: pair.left, outer: pair.right) : (own: pair.right, outer: pair.left)
        }
        let request = request
        return Condition(scope: sides.first?.outer.scope) {
            let query = try request.rowQuery()
            try Subquery.check(query)
            if Model.self is any EngineConvertible.Type {
                throw Subquery.severalShapes(query.entity)
            }
            for (own, outer) in sides {
                if let failure = own.failure ?? outer.failure { throw failure }
                guard own.scope == scope, outer.scope != scope, outer.model == Outer.self,
                    outer.scope == sides[0].outer.scope
                else { throw Subquery.unrelated(query.entity) }
            }
            return .related(
                RelatedRows(
                    query.entity,
                    sides.map(\.own.column),
                    matching: sides.map(\.outer.column),
                    where: query.membership,
                    count: count
                )
            )
        }
        .failing(ifUncertain: request.canFail || request.query.membership.canFail)
    }
}
