// The values of another model that lead to one, in conditions.
extension Fields {
    /// What is asked of a value beside its properties: ``InverseCall``.
    ///
    /// It is no member with a name of its own, which would hide a property of that name.
    public subscript(
        dynamicMember keyPath: KeyPath<FieldCalls<Model>, InverseCall<Model>>
    ) -> InverseCall<Model> {
        InverseCall(scope: scope)
    }
}

/// What fields are asked beside the properties of their model: `$0.inverse(of: \Track.album)`.
public struct FieldCalls<Model: StoredConvertible>: Sendable {
    /// The values of other models that lead to a value.
    public let inverse: InverseCall<Model>
}

/// The values of other models that lead to a value, in conditions.
public struct InverseCall<Model: StoredConvertible>: Sendable {
    fileprivate let scope: Int

    /// The values of another model of which a relationship, or a field with a primary key of this model, leads to a value.
    ///
    /// ```swift
    /// Album.where { $0.inverse(of: \Track.album).count > 3 }
    /// Album.where { $0.inverse(of: \Track.album).contains { $0.seconds > 600 } }
    /// ```
    ///
    /// What is asked of what does not lead to this model is thrown by the call that uses the request.
    public func callAsFunction<Owner: Stored, Link: TreeLink<Model.PrimaryKey>>(
        of link: KeyPath<Owner, Link>
    ) -> InverseField<Model, Owner> {
        field(inverting: link)
    }

    /// The values of another model that hold a value.
    public func callAsFunction<Owner: Stored>(
        of link: KeyPath<Owner, Model.Storage>
    ) -> InverseField<Model, Owner> {
        field(inverting: link)
    }

    /// The values of another model that hold a value, if any.
    public func callAsFunction<Owner: Stored>(
        of link: KeyPath<Owner, Model.Storage?>
    ) -> InverseField<Model, Owner> {
        field(inverting: link)
    }

    private func field<Owner: Stored, Value>(
        inverting link: KeyPath<Owner, Value>
    ) -> InverseField<Model, Owner> {
        let entity = Model.storedEntity
        return InverseField(
            scope: scope,
            hops: Result { () throws(DBClientError) in
                try Owner.schema.hops(from: entity, inverting: link)
            }
        )
    }
}

/// The values of another model that lead to one, in a condition: what a to-many relationship can be asked.
public struct InverseField<Model: StoredConvertible, Owner: Stored>: Sendable {
    fileprivate let scope: Int
    /// The way to the values, one hop or two by way of links, or what is wrong with it.
    fileprivate let hops: Result<[RelatedRows], DBClientError>

    /// True when one of the values fulfils a condition.
    public func contains(
        where condition: (Fields<Owner>) -> Condition<Owner>
    ) -> Condition<Model> {
        rows(Condition(condition), nil)
    }

    /// True when all of the values fulfil a condition, and when there is none.
    public func allSatisfy(
        _ condition: (Fields<Owner>) -> Condition<Owner>
    ) -> Condition<Model> {
        !rows(!Condition(condition), nil)
    }

    /// True when there is no value.
    public var isEmpty: Condition<Model> { count == 0 }

    /// The number of the values, for comparison.
    public var count: FieldCount<Model> { count(of: .constant(true)) }

    /// The number of the values that fulfil a condition, for comparison.
    public func count(
        where condition: (Fields<Owner>) -> Condition<Owner>
    ) -> FieldCount<Model> {
        count(of: Condition(condition))
    }

    private func count(of condition: Condition<Owner>) -> FieldCount<Model> {
        FieldTotal(
            rows: { rows(condition, $0) },
            annotation: {
                if let failure = condition.failure { throw failure }
                return RowAnnotation(through: try hops.get(), condition.row)
            }
        )
    }

    /// The sum of a field of the values; zero of none.
    ///
    /// The sum is exact, however large; one of doubles is rounded once. `condition` leaves out those that do not fulfil it.
    public func sum<Number: StorableValue & Numeric>(
        _ field: KeyPath<Owner, Number>,
        where condition: ((Fields<Owner>) -> Condition<Owner>)? = nil
    ) -> FieldTotal<Model, Number> {
        total(.sum, field, condition).addingUp
    }

    /// The sum of a field of the values, absent ones left out; zero of none.
    public func sum<Number: StorableValue & Numeric>(
        _ field: KeyPath<Owner, Number?>,
        where condition: ((Fields<Owner>) -> Condition<Owner>)? = nil
    ) -> FieldTotal<Model, Number> {
        total(.sum, field, condition).addingUp
    }

    /// The average of a field of the values, absent ones left out; nil of none.
    public func average(
        _ field: PartialKeyPath<Owner>,
        where condition: ((Fields<Owner>) -> Condition<Owner>)? = nil
    ) -> FieldTotal<Model, Double?> {
        total(.average, field, condition)
    }

    /// The smallest value of a field of the values; nil of none.
    public func min<Element: StorableValue & Comparable>(
        _ field: KeyPath<Owner, Element>,
        where condition: ((Fields<Owner>) -> Condition<Owner>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.minimum, field, condition)
    }

    /// The smallest value of a field of the values, absent ones left out; nil of none.
    public func min<Element: StorableValue & Comparable>(
        _ field: KeyPath<Owner, Element?>,
        where condition: ((Fields<Owner>) -> Condition<Owner>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.minimum, field, condition)
    }

    /// The largest value of a field of the values; nil of none.
    public func max<Element: StorableValue & Comparable>(
        _ field: KeyPath<Owner, Element>,
        where condition: ((Fields<Owner>) -> Condition<Owner>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.maximum, field, condition)
    }

    /// The largest value of a field of the values, absent ones left out; nil of none.
    public func max<Element: StorableValue & Comparable>(
        _ field: KeyPath<Owner, Element?>,
        where condition: ((Fields<Owner>) -> Condition<Owner>)? = nil
    ) -> FieldTotal<Model, Element?> {
        total(.maximum, field, condition)
    }

    private func total<Result>(
        _ function: AggregateFunction,
        _ field: PartialKeyPath<Owner>,
        _ condition: ((Fields<Owner>) -> Condition<Owner>)?
    ) -> FieldTotal<Model, Result> {
        let condition = condition.map { Condition($0) }
        /// What the function is over.
        func held() throws -> (rows: HeldRows, place: RowGrouping.Key) {
            if let failure = condition?.failure { throw failure }
            let entity = Owner.schema.entity
            try entity.validate()
            let place = try Owner.place(of: field)
            try place.owner(entity).check(function, on: place.column)
            return (HeldRows(through: try hops.get(), condition?.row ?? .constant(true)), place)
        }
        return FieldTotal { comparison, value in
            Condition(scope: scope) {
                let (rows, place) = try held()
                return try rows.condition(function, place, comparison, value)
            }
        } annotation: {
            let (rows, place) = try held()
            return rows.annotation(function, place)
        }
    }

    private func rows(_ condition: Condition<Owner>, _ count: RowCount?) -> Condition<Model> {
        Condition(scope: scope) {
            if let failure = condition.failure { throw failure }
            var hops = try hops.get()
            hops[0].count = count
            return condition.row.held(through: hops)
        }
    }
}
