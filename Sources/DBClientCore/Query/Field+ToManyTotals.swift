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
        total(.sum, field, condition).addingUp
    }

    /// The sum of a field of the values that are held, absent values left out; zero of none.
    public func sum<Number: StorableValue & Numeric>(
        _ field: KeyPath<Value.Related, Number?>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Number> {
        total(.sum, field, condition).addingUp
    }

    /// The average of a field of the values that are held, absent values left out; nil of none.
    public func average(
        _ field: PartialKeyPath<Value.Related>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Double?> {
        total(.average, field, condition)
    }

    /// The smallest value of a field of the values that are held; nil of none.
    public func min<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.minimum, field, condition)
    }

    /// The smallest value of a field of the values that are held, absent values left out; nil of none.
    public func min<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element?>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.minimum, field, condition)
    }

    /// The largest value of a field of the values that are held; nil of none.
    public func max<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.maximum, field, condition)
    }

    /// The largest value of a field of the values that are held, absent values left out; nil of none.
    public func max<Element: StorableValue & Comparable>(
        _ field: KeyPath<Value.Related, Element?>,
        where condition: ((Fields<Value.Related>) -> Condition<Value.Related>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.maximum, field, condition)
    }

    private func total<Result>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Value.Related>,
        _ condition: ((Fields<Value.Related>) -> Condition<Value.Related>)?
    ) -> FieldTotal<Model, Result> {
        let condition = condition.map { Condition($0) }
        /// What the function is over.
        func held() throws -> (rows: HeldRows, place: RowGrouping.Key) {
            if let failure = condition?.failure { throw failure }
            let target = Value.Related.schema.entity
            try target.validate()
            let place = try Value.Related.place(of: field)
            try place.owner(target).check(function, on: place.column)
            let rows = HeldRows(through: try hops(to: target), condition?.row ?? .constant(true))
            return (rows, place)
        }
        return FieldTotal { comparison, value in
            Condition(scope: scope) {
                let (rows, place) = try held()
                return try rows.condition(function, place, comparison, value)
                    .reached(through: path)
            }
        } annotation: {
            try checkIsOwn()
            let (rows, place) = try held()
            return rows.annotation(function, place)
        }
    }
}
