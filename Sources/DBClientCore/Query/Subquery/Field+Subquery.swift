// Membership in what another request comes to: `$0.product.isIn(Product.where { $0.price > 100 }.select(\.id))`.
// The engine asks both at once; an absent field is in none.
extension Field {
    /// True when the field is one of the values of another request's field.
    ///
    /// Where the other request has a limit, its first values are meant. Its field is one of the values themselves; nil
    /// equals nothing.
    public func isIn(_ request: SelectRequest<Value>) -> Condition<Model>
    where Value: Sendable {
        isMember(of: request.plan)
    }

    /// True when the field is one of the values of another request's field, absent ones left out.
    public func isIn(_ request: SelectRequest<Value?>) -> Condition<Model>
    where Value: Sendable {
        isMember(of: request.plan)
    }

    /// True when the field is present and one of the values of another request's field.
    public func isIn<Wrapped: Sendable>(_ request: SelectRequest<Wrapped>) -> Condition<Model>
    where Value == Wrapped? {
        isMember(of: request.plan)
    }

    /// True when the reference names one of the keys that another request comes to.
    public func isIn<Related>(_ request: SelectRequest<Related.PrimaryKey>) -> Condition<Model>
    where Value == Reference<Related> {
        isMember(of: request.plan)
    }

    /// True when there is a reference that names one of the keys that another request comes to.
    public func isIn<Related>(_ request: SelectRequest<Related.PrimaryKey>) -> Condition<Model>
    where Value == Reference<Related>? {
        isMember(of: request.plan)
    }

    /// True when the field is a key that one of the references of another request names.
    public func isIn<Related>(_ request: SelectRequest<Reference<Related>>) -> Condition<Model>
    where Value == Related.PrimaryKey {
        isMember(of: request.plan)
    }

    /// True when the field is a key that one of the references of another request names, absent ones left out.
    public func isIn<Related>(_ request: SelectRequest<Reference<Related>?>) -> Condition<Model>
    where Value == Related.PrimaryKey {
        isMember(of: request.plan)
    }

    /// True when the reference names one of the keys that another request comes to, absent ones left out.
    public func isIn<Related>(_ request: SelectRequest<Related.PrimaryKey?>) -> Condition<Model>
    where Value == Reference<Related> {
        isMember(of: request.plan)
    }

    /// True when there is a reference that names one of the keys that another request comes to, absent ones left out.
    public func isIn<Related>(_ request: SelectRequest<Related.PrimaryKey?>) -> Condition<Model>
    where Value == Reference<Related>? {
        isMember(of: request.plan)
    }

    private func isMember(of plan: ColumnPlan?) -> Condition<Model> {
        condition { column, entity in
            guard let plan else { throw Subquery.severalFields(entity) }
            let (query, field) = try plan.subquery()
            _ = try fieldExpression.singleField()
            return .related(
                RelatedRows(query.entity, [field], matching: [column], where: query.membership)
            )
        }
        .failing(ifUncertain: plan?.canFail ?? false)
    }
}

/// What requests inside of conditions must be.
enum Subquery {
    /// Throws where a request cannot be asked inside a condition.
    static func check(_ query: RowQuery) throws {
        if query.isRanked, query.hasWindow { throw DBClientError.rankMisplaced }
        if query.join == nil, query.walk == nil { return }
        throw unsupported(
            "A request inside a condition must be for values of one model.",
            query.entity
        )
    }

    static func severalFields(_ entity: EntitySchema) -> DBClientError {
        unsupported(
            "A request that a field is looked for in must select one field of its model, as it is.",
            entity
        )
    }

    static func severalShapes(_ entity: EntitySchema) -> DBClientError {
        unsupported(
            "A model with shapes of several engines must not be asked for inside a condition.",
            entity
        )
    }

    static func unrelated(_ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "A field of the request inside a condition must equal one of the value outside.",
            entity: entity.name
        )
    }

    private static func unsupported(_ message: String, _ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .unsupported,
            message,
            entity: entity.name,
            hint: "Fetch what it comes to, and use the values."
        )
    }
}

extension ColumnPlan {
    /// Whether there may be rows for which the request has no answer.
    fileprivate var canFail: Bool { (try? query())?.membership.canFail ?? false }

    /// Returns the request, and which field of its rows is selected.
    fileprivate func subquery() throws -> (RowQuery, Int) {
        let query = try query()
        try Subquery.check(query)
        guard isOfStoredShape else { throw Subquery.severalShapes(query.entity) }
        guard fields.count == 1, fields[0].isOwnField else {
            throw Subquery.severalFields(query.entity)
        }
        return (query, fields[0].column)
    }
}

extension FieldExpression {
    /// Returns the position of the field that the expression is.
    func singleField() throws -> Int {
        if let failure { throw failure }
        if case .field(let column) = row { return column }
        throw DBClientError(
            .invalidRequest,
            "A field must be compared as it is with those of another request.",
            entity: entity.name
        )
    }
}

extension Condition {
    /// Returns the condition, noting that there may be values for which it has no answer.
    func failing(ifUncertain isUncertain: Bool) -> Condition {
        isUncertain ? Condition(row, scope: scope, failure: failure, canFail: true) : self
    }
}
