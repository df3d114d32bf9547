// Order, by the field's stored form: text by its bytes, an enum by its raw value. An absent field is
// neither less nor greater than any value, and no field is than nil.

/// True when the field is less than the value; text by its bytes.
public func < <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.less, value)
}

/// True when the field is less than or equals the value.
public func <= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.lessOrEqual, value)
}

/// True when the field is greater than the value.
public func > <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.greater, value)
}

/// True when the field is greater than or equals the value.
public func >= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>,
    value: Value?
) -> Condition<Model> {
    field.compare(.greaterOrEqual, value)
}

/// True when the field is present and less than the value.
public func < <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> {
    field.compare(.less, value)
}

/// True when the field is present and at most the value.
public func <= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> {
    field.compare(.lessOrEqual, value)
}

/// True when the field is present and greater than the value.
public func > <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> {
    field.compare(.greater, value)
}

/// True when the field is present and at least the value.
public func >= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> {
    field.compare(.greaterOrEqual, value)
}

extension Field where Value: StorableValue & Comparable {
    /// True when the field lies in the range, both ends included.
    public func isBetween(_ range: ClosedRange<Value>) -> Condition<Model> {
        compare(.greaterOrEqual, range.lowerBound) && compare(.lessOrEqual, range.upperBound)
    }

    /// True when the field lies in the range, its upper end excluded.
    public func isBetween(_ range: Range<Value>) -> Condition<Model> {
        compare(.greaterOrEqual, range.lowerBound) && compare(.less, range.upperBound)
    }

    /// True when the field is the range's lower end or greater.
    public func isBetween(_ range: PartialRangeFrom<Value>) -> Condition<Model> {
        compare(.greaterOrEqual, range.lowerBound)
    }

    /// True when the field is the range's upper end or less.
    public func isBetween(_ range: PartialRangeThrough<Value>) -> Condition<Model> {
        compare(.lessOrEqual, range.upperBound)
    }

    /// True when the field is less than the range's upper end.
    public func isBetween(_ range: PartialRangeUpTo<Value>) -> Condition<Model> {
        compare(.less, range.upperBound)
    }
}

extension Field {
    /// True when the field is present and lies in the range, both ends included.
    public func isBetween<Wrapped: StorableValue & Comparable>(
        _ range: ClosedRange<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        compare(.greaterOrEqual, range.lowerBound) && compare(.lessOrEqual, range.upperBound)
    }

    /// True when the field is present and lies in the range, its upper end excluded.
    public func isBetween<Wrapped: StorableValue & Comparable>(
        _ range: Range<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        compare(.greaterOrEqual, range.lowerBound) && compare(.less, range.upperBound)
    }

    /// True when the field is present and the range's lower end or greater.
    public func isBetween<Wrapped: StorableValue & Comparable>(
        _ range: PartialRangeFrom<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        compare(.greaterOrEqual, range.lowerBound)
    }

    /// True when the field is present and the range's upper end or less.
    public func isBetween<Wrapped: StorableValue & Comparable>(
        _ range: PartialRangeThrough<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        compare(.lessOrEqual, range.upperBound)
    }

    /// True when the field is present and less than the range's upper end.
    public func isBetween<Wrapped: StorableValue & Comparable>(
        _ range: PartialRangeUpTo<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        compare(.less, range.upperBound)
    }
}
