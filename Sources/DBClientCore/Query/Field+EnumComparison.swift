// Order of enums that are not values of the library's own, by their raw values as they are stored.

/// True when the field, an enum, is less than the value; by their raw values.
@_disfavoredOverload
public func < <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.less, raw: value)
}

/// True when the field, an enum, is less than or equals the value; by their raw values.
@_disfavoredOverload
public func <= <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.lessOrEqual, raw: value)
}

/// True when the field, an enum, is greater than the value; by their raw values.
@_disfavoredOverload
public func > <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.greater, raw: value)
}

/// True when the field, an enum, is greater than or equals the value; by their raw values.
@_disfavoredOverload
public func >= <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.greaterOrEqual, raw: value)
}

/// True when the field, an enum, is present and less than the value; by their raw values.
@_disfavoredOverload
public func < <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.less, raw: value)
}

/// True when the field, an enum, is present and at most the value; by their raw values.
@_disfavoredOverload
public func <= <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.lessOrEqual, raw: value)
}

/// True when the field, an enum, is present and greater than the value; by their raw values.
@_disfavoredOverload
public func > <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.greater, raw: value)
}

/// True when the field, an enum, is present and at least the value; by their raw values.
@_disfavoredOverload
public func >= <Model, Value: RawRepresentable & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
    field.compare(.greaterOrEqual, raw: value)
}

extension Field where Value: RawRepresentable & Comparable {
    /// True when the field, an enum, lies in the range, both ends included; by their raw values.
    @_disfavoredOverload
    public func isBetween(
        _ range: ClosedRange<Value>
    ) -> Condition<Model> where Value.RawValue: StorableValue & Comparable {
        compare(.greaterOrEqual, raw: range.lowerBound)
            && compare(.lessOrEqual, raw: range.upperBound)
    }
}
