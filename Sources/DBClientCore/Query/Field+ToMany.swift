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
        links { link in
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
        let condition = Condition(condition)
        return FieldTotal(rows: { elements(condition, $0) })
    }

    fileprivate func elements<Related: Stored>(
        _ condition: Condition<Related>,
        _ count: RowCount?
    ) -> Condition<Model> {
        links(count) { link in
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
    public var count: FieldCount<Model> {
        FieldTotal(rows: { elements(Condition<Value.Related>.constant(true), $0) })
    }
}

/// The number of values that a to-many relationship holds, to be compared with a constant.
public typealias FieldCount<Model: StoredConvertible> = FieldTotal<Model, Int>

extension FieldTotal where Value == Int {
    /// Creates the number from a function that compares it.
    init(rows compare: @escaping (RowCount) -> Condition<Model>) {
        self.init { comparison, value in
            guard case .integer(let number) = value else {
                return .constant(comparison == .notEqual)
            }
            return compare(RowCount(comparison, Int(number)))
        }
    }
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
