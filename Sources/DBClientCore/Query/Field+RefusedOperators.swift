public import Foundation

// What has no meaning between a field and a value: declared so that the compiler says so at once, where it would
// otherwise try everything that the operators can mean in every other term of the condition.

/// Unavailable: a field is compared with a value of its own type.
@available(*, unavailable, message: "a field is compared with a value, or a field, of its own type")
@_disfavoredOverload
public func == <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a field is compared with a value of its own type.
@available(*, unavailable, message: "a field is compared with a value, or a field, of its own type")
@_disfavoredOverload
public func != <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a field is compared with a value of its own type.
@available(*, unavailable, message: "a field is compared with a value, or a field, of its own type")
@_disfavoredOverload
public func < <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a field is compared with a value of its own type.
@available(*, unavailable, message: "a field is compared with a value, or a field, of its own type")
@_disfavoredOverload
public func <= <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a field is compared with a value of its own type.
@available(*, unavailable, message: "a field is compared with a value, or a field, of its own type")
@_disfavoredOverload
public func > <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a field is compared with a value of its own type.
@available(*, unavailable, message: "a field is compared with a value, or a field, of its own type")
@_disfavoredOverload
public func >= <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: an expression has operands of one type.
@available(
    *,
    unavailable,
    message: "an expression has operands of one type; convert a number with 'converted(to:)'"
)
@_disfavoredOverload
public func + <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Field<Model, Value> {
    fatalError()
}

/// Unavailable: an expression has operands of one type.
@available(
    *,
    unavailable,
    message: "an expression has operands of one type; convert a number with 'converted(to:)'"
)
@_disfavoredOverload
public func - <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Field<Model, Value> {
    fatalError()
}

/// Unavailable: an expression has operands of one type.
@available(
    *,
    unavailable,
    message: "an expression has operands of one type; convert a number with 'converted(to:)'"
)
@_disfavoredOverload
public func * <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Field<Model, Value> {
    fatalError()
}

/// Unavailable: an expression has operands of one type.
@available(
    *,
    unavailable,
    message: "an expression has operands of one type; convert a number with 'converted(to:)'"
)
@_disfavoredOverload
public func / <Model, Value, Other>(
    field: Field<Model, Value>,
    other: Other
) -> Field<Model, Value> {
    fatalError()
}

/// Unavailable: a quotient of decimals has a number of digits.
@available(
    *,
    unavailable,
    message: "a quotient of decimals says how many digits it has: 'divided(by:scale:)'"
)
@_disfavoredOverload
public func / <Model, Other>(
    decimal: Field<Model, Decimal>,
    divisor: Other
) -> Field<Model, Decimal> {
    fatalError()
}

/// Unavailable: a quotient of decimals has a number of digits.
@available(
    *,
    unavailable,
    message: "a quotient of decimals says how many digits it has: 'divided(by:scale:)'"
)
@_disfavoredOverload
public func / <Model, Other>(
    decimal: Field<Model, Decimal?>,
    divisor: Other
) -> Field<Model, Decimal?> {
    fatalError()
}

/// Unavailable: a quotient of decimals has a number of digits.
@available(
    *,
    unavailable,
    message: "a quotient of decimals says how many digits it has: 'divided(by:scale:)'"
)
@_disfavoredOverload
public func / <Model, Other>(
    decimal: FieldExpression<Model, Decimal>,
    divisor: Other
) -> FieldExpression<Model, Decimal> {
    fatalError()
}

/// Unavailable: a quotient of decimals has a number of digits.
@available(
    *,
    unavailable,
    message: "a quotient of decimals says how many digits it has: 'divided(by:scale:)'"
)
@_disfavoredOverload
public func / <Model, Other>(
    decimal: FieldExpression<Model, Decimal?>,
    divisor: Other
) -> FieldExpression<Model, Decimal?> {
    fatalError()
}

/// A duration or an optional one, which has no order where it is kept.
public protocol DurationValue {}
extension Duration: DurationValue {}
extension Optional: DurationValue where Wrapped == Duration {}

/// Unavailable: a duration is stored as JSON, which has no order.
@available(
    *,
    unavailable,
    message:
        "a Duration is kept as JSON, without an order; keep seconds as a number to compare them"
)
public func < <Model, Value: DurationValue>(
    field: Field<Model, Value>,
    value: Duration
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a duration is stored as JSON, which has no order.
@available(
    *,
    unavailable,
    message:
        "a Duration is kept as JSON, without an order; keep seconds as a number to compare them"
)
public func <= <Model, Value: DurationValue>(
    field: Field<Model, Value>,
    value: Duration
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a duration is stored as JSON, which has no order.
@available(
    *,
    unavailable,
    message:
        "a Duration is kept as JSON, without an order; keep seconds as a number to compare them"
)
public func > <Model, Value: DurationValue>(
    field: Field<Model, Value>,
    value: Duration
) -> Condition<Model> {
    fatalError()
}

/// Unavailable: a duration is stored as JSON, which has no order.
@available(
    *,
    unavailable,
    message:
        "a Duration is kept as JSON, without an order; keep seconds as a number to compare them"
)
public func >= <Model, Value: DurationValue>(
    field: Field<Model, Value>,
    value: Duration
) -> Condition<Model> {
    fatalError()
}
