// What can be computed over the values that a to-many relationship holds, each as often as it is held.
extension Field where Value: ToManyValue {
    /// The sum of a field of the values that are held; zero of none.
    ///
    /// ```swift
    /// Character.where { $0.powers.sum(\.level) > 10 }
    /// ```
    ///
    /// The sum is exact, however large; one of doubles is rounded once. `condition` leaves out those that do not fulfil it.
    public func sum<Number: StorableValue & Numeric>(
        _ field: KeyPath<Value.Related, Number>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Number> {
        total(.sum, field, condition)
    }

    /// The sum of a field of the values that are held, absent values left out; zero of none.
    public func sum<Number: StorableValue & Numeric>(
        _ field: KeyPath<Value.Related, Number?>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Number> {
        total(.sum, field, condition)
    }

    /// The average of a field of the values that are held, absent values left out; nil of none.
    public func average(
        _ field: PartialKeyPath<Value.Related>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Double> {
        total(.average, field, condition)
    }

    /// The smallest value of a field of the values that are held; nil of none.
    public func min<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element> {
        total(.minimum, field, condition)
    }

    /// The smallest value of a field of the values that are held, absent values left out; nil of none.
    public func min<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element?>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element> {
        total(.minimum, field, condition)
    }

    /// The largest value of a field of the values that are held; nil of none.
    public func max<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element> {
        total(.maximum, field, condition)
    }

    /// The largest value of a field of the values that are held, absent values left out; nil of none.
    public func max<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element?>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element> {
        total(.maximum, field, condition)
    }

    private func total<Result>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Value.Related>,
        _ condition: ((Fields<Value.Related>) -> Condition<Value.Related>)?
    ) -> FieldTotal<Model, Result> {
        let condition = condition.map { Condition($0) }
        return FieldTotal { comparison, value in
            Condition(scope: scope) {
                if let failure = condition?.failure { throw failure }
                let target = Value.Related.schema.entity
                try target.validate()
                let place = try Value.Related.place(of: field)
                try place.owner(target).check(function, on: place.column)
                let held = HeldRows(
                    through: try link().hops(to: target, from: entity),
                    condition?.row ?? .constant(true)
                )
                return try held.condition(function, place, comparison, value)
                    .reached(through: path)
            }
        }
    }
}

/// An aggregate over the values of a to-many relationship, to be compared with a constant.
///
/// A comparison with an absent value is false, and its negation true.
public struct FieldTotal<Model: StoredConvertible, Value: StorableValue> {
    fileprivate let compare: (Comparison, StorageValue) -> Condition<Model>

    init(_ compare: @escaping (Comparison, StorageValue) -> Condition<Model>) {
        self.compare = compare
    }

    private func compared(_ comparison: Comparison, _ value: Value?) -> Condition<Model> {
        do {
            return compare(comparison, try value.map { try StorageValue(storing: $0) } ?? .null)
        } catch {
            return Condition(.constant(false), failure: DBClientError.wrapping(error))
        }
    }

    /// True when it equals the value; `== nil` when there is none.
    public static func == (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.equal, value)
    }

    /// True when it differs from the value or there is none; `!= nil` when there is one.
    public static func != (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.notEqual, value)
    }

    /// True when it is present and less than the value.
    public static func < (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.less, value)
    }

    /// True when it is present and at most the value.
    public static func <= (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.lessOrEqual, value)
    }

    /// True when it is present and greater than the value.
    public static func > (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.greater, value)
    }

    /// True when it is present and at least the value.
    public static func >= (total: Self, value: Value?) -> Condition<Model> {
        total.compared(.greaterOrEqual, value)
    }
}
