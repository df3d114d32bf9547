extension ExpressionTerm where Value: ArithmeticValue {
    /// The number without its sign; the least integer, whose magnitude its type does not have, is an error.
    public var magnitude: FieldExpression<Model, Value> { calling(.magnitude) }
}

extension ExpressionTerm where Value: NumberValue & Numeric {
    /// Returns the number as one of another type: to the nearest double or float, or toward zero to an integer, whose
    /// range it must not leave.
    public func converted<Number: NumberValue & Numeric>(
        to type: Number.Type
    ) -> FieldExpression<Model, Number> {
        fieldExpression.map { .function(.convert, Number.fieldType, [$0]) }
    }
}

extension ExpressionTerm {
    /// Returns the number as one of another type; nil where it is absent.
    public func converted<Wrapped: NumberValue, Number: NumberValue & Numeric>(
        to type: Number.Type
    ) -> FieldExpression<Model, Number?> where Value == Wrapped? {
        fieldExpression.map { .function(.convert, Number.fieldType, [$0]) }
    }
}

extension ExpressionTerm where Value: ExpressionValue & TextValue {
    /// Returns the text with A to Z lowered, and nothing else.
    public func lowercased() -> FieldExpression<Model, Value> { calling(.lowercased) }

    /// Returns the text with a to z raised, and nothing else.
    public func uppercased() -> FieldExpression<Model, Value> { calling(.uppercased) }
}

extension ExpressionTerm where Value == String {
    /// The number of the text's Unicode scalars, which is not that of its characters: a flag has two.
    public var count: FieldExpression<Model, Int> { fieldExpression.counted() }
}

extension ExpressionTerm where Value == String? {
    /// The number of the text's Unicode scalars; nil where the text is absent.
    public var count: FieldExpression<Model, Int?> { fieldExpression.counted() }
}

extension FieldExpression {
    fileprivate func counted<Number>() -> FieldExpression<Model, Number> {
        map { .function(.count, Int.fieldType, [$0]) }
    }
}

/// The term, or another where it is absent.
public func ?? <Left: ExpressionTerm, Right: ExpressionTerm, Value: ExpressionValue>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Right.Value>
where
    Left.Model == Right.Model,
    Left.Value == Value?,
    Right.Value: ExpressionValue,
    Right.Value.Present == Value
{
    left.fieldExpression.combined(with: right.fieldExpression) { .firstPresent([$0, $1]) }
}

/// The expression, or a constant where it is absent.
public func ?? <Model, Value: ExpressionValue>(
    expression: FieldExpression<Model, Value?>,
    value: Value
) -> FieldExpression<Model, Value> {
    expression.map { .firstPresent([$0, try .constant(storing: value)]) }
}
