extension Field where Value: StorableValue {
    /// True when the field is one of the values; nil among them stands for an absent field.
    public func isIn(_ values: some Sequence<Value>) -> Condition<Model> {
        isMember(of: values)
    }
}

extension Field where Value: RawRepresentable, Value.RawValue: StorableValue {
    /// True when the field is one of the values.
    @_disfavoredOverload
    public func isIn(_ values: some Sequence<Value>) -> Condition<Model> {
        isMember(of: values.lazy.map(\.rawValue))
    }
}

extension Field {
    /// True when the field is one of the values; nil among them stands for an absent field.
    @_disfavoredOverload
    public func isIn<Raw: RawRepresentable>(_ values: some Sequence<Raw?>) -> Condition<Model>
    where Value == Raw?, Raw.RawValue: StorableValue {
        isMember(of: values.lazy.map { $0?.rawValue })
    }

    /// True when the field is present and one of the values.
    @_disfavoredOverload
    public func isIn<Wrapped: StorableValue>(_ values: some Sequence<Wrapped>) -> Condition<Model>
    where Value == Wrapped? {
        isMember(of: values)
    }

    /// True when the field is present and one of the values.
    @_disfavoredOverload
    public func isIn<Raw: RawRepresentable>(_ values: some Sequence<Raw>) -> Condition<Model>
    where Value == Raw?, Raw.RawValue: StorableValue {
        isMember(of: values.lazy.map(\.rawValue))
    }

    private func isMember(of values: some Sequence<some StorableValue>) -> Condition<Model> {
        condition { column, entity in
            let stored = try entity.naming(column) {
                try values.map { try StorageValue(storing: $0) }
            }
            return .member(column: column, of: stored)
        }
    }
}

extension Sequence {
    /// True when the field is one of the values: `isIn` the other way round, as predicates say it.
    public func contains<Model>(_ field: Field<Model, Element>) -> Condition<Model>
    where Element: StorableValue {
        field.isIn(self)
    }

    /// True when the field is one of the values.
    @_disfavoredOverload
    public func contains<Model>(_ field: Field<Model, Element>) -> Condition<Model>
    where Element: RawRepresentable, Element.RawValue: StorableValue {
        field.isIn(self)
    }

    /// True when the field is present and one of the values.
    public func contains<Model>(_ field: Field<Model, Element?>) -> Condition<Model>
    where Element: StorableValue {
        field.isIn(self)
    }

    /// True when the field is present and one of the values.
    @_disfavoredOverload
    public func contains<Model>(_ field: Field<Model, Element?>) -> Condition<Model>
    where Element: RawRepresentable, Element.RawValue: StorableValue {
        field.isIn(self)
    }
}

extension ClosedRange where Bound: StorableValue {
    /// True when the field lies in the range, both ends included: `isBetween` the other way round.
    @_disfavoredOverload
    public func contains<Model>(_ field: Field<Model, Bound>) -> Condition<Model> {
        field.isBetween(self)
    }
}

extension Range where Bound: StorableValue {
    /// True when the field lies in the range, its upper end excluded: `isBetween` the other way round.
    @_disfavoredOverload
    public func contains<Model>(_ field: Field<Model, Bound>) -> Condition<Model> {
        field.isBetween(self)
    }
}

// References among others, by their keys, whatever fields those have.
extension Field {
    /// True when the reference is one of others.
    public func isIn<Related>(_ references: some Sequence<Reference<Related>>) -> Condition<Model>
    where Value == Reference<Related> {
        names(oneOf: references)
    }

    /// True when the reference is present and one of others.
    @_disfavoredOverload
    public func isIn<Related>(_ references: some Sequence<Reference<Related>>) -> Condition<Model>
    where Value == Reference<Related>? {
        names(oneOf: references)
    }

    /// True when the reference is one of others; nil among them stands for none.
    public func isIn<Related>(_ references: some Sequence<Reference<Related>?>) -> Condition<Model>
    where Value == Reference<Related>? {
        names(oneOf: references)
    }

    /// True when the reference names one of the values, by its primary key.
    public func isIn<Related: Stored>(_ values: some Sequence<Related>) -> Condition<Model>
    where Value == Reference<Related> {
        names(oneOf: values.map { Reference(to: $0) })
    }

    /// True when the reference is present and names one of the values, by its primary key.
    public func isIn<Related: Stored>(_ values: some Sequence<Related>) -> Condition<Model>
    where Value == Reference<Related>? {
        names(oneOf: values.map { Reference(to: $0) })
    }

    /// True when the value that is held is one of the values, by its primary key.
    public func isIn(_ values: some Sequence<Value>) -> Condition<Model> where Value: Stored {
        names(oneOf: values.map { Reference(to: $0) })
    }

    /// True when a value is held that is one of the values, by its primary key.
    public func isIn<Related: Stored>(_ values: some Sequence<Related>) -> Condition<Model>
    where Value == Related? {
        names(oneOf: values.map { Reference(to: $0) })
    }

    private func names<Related>(
        oneOf references: some Sequence<Reference<Related>?>
    ) -> Condition<Model> {
        names(oneOf: references.compactMap(\.self), orNone: references.contains { $0 == nil })
    }

    private func names<Related>(
        oneOf references: some Sequence<Reference<Related>>,
        orNone: Bool = false
    ) -> Condition<Model> {
        condition { column, entity in
            guard let relationship else {
                throw DBClientError(
                    .invalidRequest,
                    "The property must be a relationship.",
                    entity: entity.name
                )
            }
            let keys = try references.map { try Related.storedKey($0.key) }
            let isAmong = RowCondition.keys(relationship.columns, in: keys)
            if orNone { return .any([isAmong, absence(column)]) }
            // A key that names nothing reads as nil.
            guard relationship.mayHoldNothing else { return isAmong }
            return .all([isAmong, .not(absence(column))])
        }
    }
}

extension Sequence {
    /// True when the reference is one of the sequence's.
    public func contains<Model, Related>(
        _ field: Field<Model, Reference<Related>>
    ) -> Condition<Model> where Element == Reference<Related> {
        field.isIn(self)
    }

    /// True when the reference is present and one of the sequence's.
    public func contains<Model, Related>(
        _ field: Field<Model, Reference<Related>?>
    ) -> Condition<Model> where Element == Reference<Related> {
        field.isIn(self)
    }

    /// True when the reference names one of the sequence's values, by its primary key.
    public func contains<Model>(
        _ field: Field<Model, Reference<Element>>
    ) -> Condition<Model> where Element: Stored {
        field.isIn(self)
    }

    /// True when the reference is present and names one of the sequence's values, by its primary key.
    public func contains<Model>(
        _ field: Field<Model, Reference<Element>?>
    ) -> Condition<Model> where Element: Stored {
        field.isIn(self)
    }

    /// True when the value that is held is one of the sequence's, by its primary key.
    public func contains<Model>(
        _ field: Field<Model, Element>
    ) -> Condition<Model> where Element: Stored {
        field.isIn(self)
    }

    /// True when a value is held that is one of the sequence's, by its primary key.
    public func contains<Model>(
        _ field: Field<Model, Element?>
    ) -> Condition<Model> where Element: Stored {
        field.isIn(self)
    }
}
