// Comparison with a value of the field's own type. A literal nil takes the optional overloads.

/// True when the field equals the value; `== nil` when it is absent.
public func == <Model, Value: StorableValue>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> {
    field.compare(.equal, value)
}

/// True when the field differs from the value; an absent field differs from every value.
public func != <Model, Value: StorableValue>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> {
    field.compare(.notEqual, value)
}

/// True when the field equals the value.
public func == <Model, Value: RawRepresentable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value.
public func != <Model, Value: RawRepresentable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when the field equals the value.
public func == <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value.
public func != <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when the field equals the value; `== nil` when it is absent.
public func == <Model, Value: RawRepresentable>(
    field: Field<Model, Value?>, value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value; an absent field differs from every value.
public func != <Model, Value: RawRepresentable>(
    field: Field<Model, Value?>, value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when the field equals the value; `== nil` when it is absent.
public func == <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value?>, value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value; an absent field differs from every value.
public func != <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value?>, value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when an optional field of any kind is absent: `$0.appearance == nil`.
@_disfavoredOverload
public func == <Model, Wrapped>(
    field: Field<Model, Wrapped?>, absent: _OptionalNilComparisonType
) -> Condition<Model> {
    Condition { .isNil(column: try field.column()) }
}

/// True when an optional field of any kind is there.
@_disfavoredOverload
public func != <Model, Wrapped>(
    field: Field<Model, Wrapped?>, absent: _OptionalNilComparisonType
) -> Condition<Model> {
    Condition { .not(.isNil(column: try field.column())) }
}

/// True when the field is less than the value; text by its bytes.
public func < <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> {
    field.compare(.less, value)
}

/// True when the field is less than or equals the value.
public func <= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> {
    field.compare(.lessOrEqual, value)
}

/// True when the field is greater than the value.
public func > <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> {
    field.compare(.greater, value)
}

/// True when the field is greater than or equals the value.
public func >= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value>, value: Value
) -> Condition<Model> {
    field.compare(.greaterOrEqual, value)
}

/// True when the field is there and less than the value.
public func < <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>, value: Value
) -> Condition<Model> {
    field.compare(.less, value)
}

/// True when the field is there and at most the value.
public func <= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>, value: Value
) -> Condition<Model> {
    field.compare(.lessOrEqual, value)
}

/// True when the field is there and greater than the value.
public func > <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>, value: Value
) -> Condition<Model> {
    field.compare(.greater, value)
}

/// True when the field is there and at least the value.
public func >= <Model, Value: StorableValue & Comparable>(
    field: Field<Model, Value?>, value: Value
) -> Condition<Model> {
    field.compare(.greaterOrEqual, value)
}

extension Field where Value: StorableValue {
    /// True when the field is one of the values.
    public func isIn(_ values: some Sequence<Value>) -> Condition<Model> {
        Condition {
            .member(column: try column(), of: try values.map { try StorageValue(storing: $0) })
        }
    }
}

extension Field where Value: RawRepresentable, Value.RawValue: StorableValue {
    /// True when the field is one of the values.
    @_disfavoredOverload
    public func isIn(_ values: some Sequence<Value>) -> Condition<Model> {
        Condition {
            .member(
                column: try column(), of: try values.map { try StorageValue(storing: $0.rawValue) })
        }
    }
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
}

extension Field {
    /// True when the field is there and lies in the range, both ends included.
    public func isBetween<Wrapped: StorableValue & Comparable>(
        _ range: ClosedRange<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        compare(.greaterOrEqual, range.lowerBound) && compare(.lessOrEqual, range.upperBound)
    }

    /// True when the field is there and lies in the range, its upper end excluded.
    public func isBetween<Wrapped: StorableValue & Comparable>(
        _ range: Range<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        compare(.greaterOrEqual, range.lowerBound) && compare(.less, range.upperBound)
    }

    func compare(_ comparison: Comparison, _ value: some StorableValue) -> Condition<Model> {
        Condition { [self] in
            .comparing(column: try column(), comparison, try StorageValue(storing: value))
        }
    }

    func compare<Raw: RawRepresentable>(
        _ comparison: Comparison, raw value: Raw?
    ) -> Condition<Model> where Raw.RawValue: StorableValue {
        compare(comparison, value?.rawValue)
    }
}
