// What a to-many relationship can be asked.
extension Field {
    /// True when one of the values that are held fulfils a condition.
    ///
    /// ```swift
    /// Character.where { $0.powers.contains { $0.level > 3 } }
    /// ```
    public func contains<Related: Stored>(
        where condition: (Fields<Related>) -> Condition<Related>
    ) -> Condition<Model> where Value: ToManyValue<Related> {
        elements(Condition(condition), nil)
    }

    /// True when all of the values that are held fulfil a condition, and when none is held.
    public func allSatisfy<Related: Stored>(
        _ condition: (Fields<Related>) -> Condition<Related>
    ) -> Condition<Model> where Value: ToManyValue<Related> {
        !elements(!Condition(condition), nil)
    }

    /// True when the relationship contains a value, which is identified by its primary key.
    public func contains<Related: Stored>(_ value: Related) -> Condition<Model>
    where Value: ToManyValue<Related> {
        contains(Reference(to: value))
    }

    /// True when the value that a reference names is held.
    public func contains<Related: Stored>(_ reference: Reference<Related>) -> Condition<Model>
    where Value: ToManyValue<Related> {
        if let inverse = relationship?.inverse {
            return leading(by: inverse, nil) {
                .equal(Related.schema.entity.primaryKey, try Related.storedKey(reference.key))
            }
        }
        return links { link in
            let isElement = RowCondition.equal(
                link.target,
                try Related.storedKey(reference.key)
            )
            guard mayHoldNothing else { return isElement }
            return .all([isElement, .related(element(Related.schema.entity, of: link))])
        }
    }

    /// The number of values that are held, for comparison.
    public func count<Related: Stored>(
        where condition: (Fields<Related>) -> Condition<Related>
    ) -> FieldCount<Model> where Value: ToManyValue<Related> {
        total(of: Condition(condition))
    }

    fileprivate func total<Related: Stored>(of condition: Condition<Related>) -> FieldCount<Model> {
        FieldTotal(
            rows: { elements(condition, $0) },
            annotation: {
                if let failure = condition.failure { throw failure }
                try checkIsOwn()
                return RowAnnotation(through: try hops(to: Related.schema.entity), condition.row)
            }
        )
    }

    fileprivate func elements<Related: Stored>(
        _ condition: Condition<Related>,
        _ count: RowCount?
    ) -> Condition<Model> {
        if let inverse = relationship?.inverse {
            return leading(by: inverse, count) {
                if let failure = condition.failure { throw failure }
                return condition.row
            }
        }
        return links(count) { link in
            if let failure = condition.failure { throw failure }
            // A link is an element, unless what it names may be gone.
            if condition.row == .constant(true), !mayHoldNothing { return .constant(true) }
            var rows = element(Related.schema.entity, of: link)
            rows.condition = condition.row
            return .related(rows)
        }
    }

    private var mayHoldNothing: Bool { relationship?.mayHoldNothing ?? false }

    /// Returns the row that a link names.
    private func element(_ target: EntitySchema, of link: LinkSchema) -> RelatedRows {
        RelatedRows(target, target.primaryKey, matching: link.target)
    }

    /// Returns the condition that values of another model which lead to the value fulfil one.
    private func leading(
        by inverse: @escaping () throws(DBClientError) -> [RowMatch],
        _ count: RowCount?,
        _ condition: () throws -> RowCondition
    ) -> Condition<Model> {
        Condition(scope: scope) {
            var hops = try inverse().map(RelatedRows.init)
            hops[0].count = count
            return try condition().held(through: hops).reached(through: path)
        }
    }

    private func links(
        _ count: RowCount? = nil,
        _ condition: (LinkSchema) throws -> RowCondition
    ) -> Condition<Model> {
        Condition(scope: scope) {
            let link = try link()
            let rows = RelatedRows(
                link.entity,
                link.owner,
                matching: entity.primaryKey,
                where: try condition(link),
                count: count
            )
            return RowCondition.related(rows).reached(through: path)
        }
    }
}

extension Field {
    /// Returns the hops to the values that the field holds, or that lead to the value that has it.
    func hops(to target: EntitySchema) throws -> [RelatedRows] {
        if let inverse = relationship?.inverse { return try inverse().map(RelatedRows.init) }
        return try link().hops(to: target, from: entity)
    }

    /// Throws where the field is of a value that the model leads to.
    func checkIsOwn() throws {
        if path.isEmpty { return }
        throw DBClientError(
            .unsupported,
            "What a request is annotated with must be of the model's own properties.",
            entity: Model.Storage.schema.entity.name,
            field: relationship?.name,
            hint: "Annotate a request for the model that has the property."
        )
    }

    /// Returns how the to-many relationship that the field is is kept.
    func link() throws -> LinkSchema {
        if let failure { throw failure }
        guard let link = relationship?.link else {
            throw DBClientError(
                .invalidRequest,
                "The property must be a to-many relationship.",
                entity: entity.name
            )
        }
        return link
    }
}

extension Field where Value: ToManyValue {
    /// True when the relationship leads to no value.
    public var isEmpty: Condition<Model> { count == 0 }

    /// The number of values that are held, each as often as it is, for comparison.
    public var count: FieldCount<Model> { total(of: Condition<Value.Related>.constant(true)) }
}

/// A property that holds any number of values of another model: a list, a set, or references.
public protocol ToManyValue<Related> {
    /// The model of the related values.
    associatedtype Related: Stored
}

extension Array: ToManyValue where Element: Stored {
    /// The model of the related values.
    public typealias Related = Element
}

extension Set: ToManyValue where Element: Stored {
    /// The model of the related values.
    public typealias Related = Element
}

extension References: ToManyValue {
    /// The model of the related values.
    public typealias Related = Model
}

/// An optional to-many value, which a key path through an optional relationship leads to.
extension Optional: ToManyValue where Wrapped: ToManyValue {
    /// The model of the related values.
    public typealias Related = Wrapped.Related
}
