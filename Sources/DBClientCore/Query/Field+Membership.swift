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

    /// True when the field is there and one of the values.
    @_disfavoredOverload
    public func isIn<Wrapped: StorableValue>(_ values: some Sequence<Wrapped>) -> Condition<Model>
    where Value == Wrapped? {
        isMember(of: values)
    }

    /// True when the field is there and one of the values.
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

    /// True when the field is there and one of the values.
    public func contains<Model>(_ field: Field<Model, Element?>) -> Condition<Model>
    where Element: StorableValue {
        field.isIn(self)
    }

    /// True when the field is there and one of the values.
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
