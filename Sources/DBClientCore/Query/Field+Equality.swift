// Equality with a value of the field's own type. A literal nil takes the optional overloads.

/// True when the field equals the value; `== nil` when it is absent.
public func == <Model, Value: StorableValue>(
    field: Field<Model, Value>,
    value: Value
) -> Condition<Model> {
    field.compare(.equal, value)
}

/// True when the field differs from the value; an absent field differs from every value.
public func != <Model, Value: StorableValue>(
    field: Field<Model, Value>,
    value: Value
) -> Condition<Model> {
    field.compare(.notEqual, value)
}

/// True when the field equals the value.
public func == <Model, Value: RawRepresentable>(
    field: Field<Model, Value>,
    value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value.
public func != <Model, Value: RawRepresentable>(
    field: Field<Model, Value>,
    value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when the field equals the value.
public func == <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value>,
    value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value.
public func != <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value>,
    value: Value
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when the field equals the value; `== nil` when it is absent.
public func == <Model, Value: RawRepresentable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value; an absent field differs from every value.
public func != <Model, Value: RawRepresentable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when the field equals the value; `== nil` when it is absent.
public func == <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.equal, raw: value)
}

/// True when the field differs from the value; an absent field differs from every value.
public func != <Model, Value: StorableValue & RawRepresentable>(
    field: Field<Model, Value?>,
    value: Value?
) -> Condition<Model> where Value.RawValue: StorableValue {
    field.compare(.notEqual, raw: value)
}

/// True when an optional field of any kind is absent: `$0.appearance == nil`.
@_disfavoredOverload
public func == <Model, Wrapped>(
    field: Field<Model, Wrapped?>,
    absent: _OptionalNilComparisonType
) -> Condition<Model> {
    field.condition { column, _ in field.absence(column) }
}

/// True when an optional field of any kind is there.
@_disfavoredOverload
public func != <Model, Wrapped>(
    field: Field<Model, Wrapped?>,
    absent: _OptionalNilComparisonType
) -> Condition<Model> {
    field.condition { column, _ in .not(field.absence(column)) }
}

extension Field {
    func compare(_ comparison: Comparison, _ value: some StorableValue) -> Condition<Model> {
        condition { column, entity in
            let stored = try entity.naming(column) {
                try StorageValue(storing: value)
            }
            return .comparing(column: column, comparison, stored)
        }
    }

    func compare<Raw: RawRepresentable>(
        _ comparison: Comparison,
        raw value: Raw?
    ) -> Condition<Model> where Raw.RawValue: StorableValue {
        compare(comparison, value?.rawValue)
    }
}
