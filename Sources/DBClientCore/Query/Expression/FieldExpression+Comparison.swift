// Comparisons of expressions. Order is that of the stored form, as with fields; an absent value is neither less nor
// greater than any other, and equals another that is absent.

/// True when the expression equals the value; `== nil` when it is absent.
public func == <Model, Value: ExpressionValue>(
    expression: FieldExpression<Model, Value>,
    value: Value
) -> Condition<Model> {
    expression.compare(.equal, to: value)
}

/// True when both are equal, or both absent.
public func == <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> Condition<Left.Model>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present
{
    left.fieldExpression.compare(.equal, to: right.fieldExpression)
}

/// True when the expression differs from the value.
public func != <Model, Value: ExpressionValue>(
    expression: FieldExpression<Model, Value>,
    value: Value
) -> Condition<Model> {
    expression.compare(.notEqual, to: value)
}

/// True when they differ, or one of them is absent.
public func != <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> Condition<Left.Model>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present
{
    left.fieldExpression.compare(.notEqual, to: right.fieldExpression)
}

/// True when the expression is less than the value.
public func < <Model, Value: ExpressionValue>(
    expression: FieldExpression<Model, Value>,
    value: Value
) -> Condition<Model> {
    expression.compare(.less, to: value)
}

/// True when both are present and the first is less than the second.
public func < <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> Condition<Left.Model>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present
{
    left.fieldExpression.compare(.less, to: right.fieldExpression)
}

/// True when the expression is at most the value.
public func <= <Model, Value: ExpressionValue>(
    expression: FieldExpression<Model, Value>,
    value: Value
) -> Condition<Model> {
    expression.compare(.lessOrEqual, to: value)
}

/// True when both are present and the first is at most the second.
public func <= <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> Condition<Left.Model>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present
{
    left.fieldExpression.compare(.lessOrEqual, to: right.fieldExpression)
}

/// True when the expression is greater than the value.
public func > <Model, Value: ExpressionValue>(
    expression: FieldExpression<Model, Value>,
    value: Value
) -> Condition<Model> {
    expression.compare(.greater, to: value)
}

/// True when both are present and the first is greater than the second.
public func > <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> Condition<Left.Model>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present
{
    left.fieldExpression.compare(.greater, to: right.fieldExpression)
}

/// True when the expression is at least the value.
public func >= <Model, Value: ExpressionValue>(
    expression: FieldExpression<Model, Value>,
    value: Value
) -> Condition<Model> {
    expression.compare(.greaterOrEqual, to: value)
}

/// True when both are present and the first is at least the second.
public func >= <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> Condition<Left.Model>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present
{
    left.fieldExpression.compare(.greaterOrEqual, to: right.fieldExpression)
}
