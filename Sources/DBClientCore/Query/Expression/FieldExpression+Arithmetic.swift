// Arithmetic. An absent operand makes the value absent; a number that the type does not have is an error.

/// The sum of two numbers, or two texts one after the other.
public func + <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value>
where Left.Model == Right.Model, Left.Value == Right.Value, Left.Value: AdditiveValue {
    left.calling(.add, right)
}

/// The sum of two numbers, or two texts one after the other; nil where one of them is.
@_disfavoredOverload
public func + <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value.Present?>
where
    Left.Model == Right.Model,
    Left.Value: AdditiveValue,
    Right.Value: AdditiveValue,
    Left.Value.Present == Right.Value.Present
{
    left.calling(.add, right)
}

/// The sum of two numbers, or two texts one after the other, the second a constant.
public func + <Left: ExpressionTerm>(
    left: Left,
    right: Left.Value.Present
) -> FieldExpression<Left.Model, Left.Value> where Left.Value: AdditiveValue {
    left.calling(.add, right)
}

/// The sum of two numbers, or two texts one after the other, the first a constant.
public func + <Right: ExpressionTerm>(
    left: Right.Value.Present,
    right: Right
) -> FieldExpression<Right.Model, Right.Value> where Right.Value: AdditiveValue {
    right.calling(.add, after: left)
}

/// The first number less the second; an error where the type has no such number.
public func - <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value>
where Left.Model == Right.Model, Left.Value == Right.Value, Left.Value: ArithmeticValue {
    left.calling(.subtract, right)
}

/// The difference of two numbers; nil where one of them is.
@_disfavoredOverload
public func - <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value.Present?>
where
    Left.Model == Right.Model,
    Left.Value: ArithmeticValue,
    Right.Value: ArithmeticValue,
    Left.Value.Present == Right.Value.Present
{
    left.calling(.subtract, right)
}

/// The difference of two numbers, the second a constant.
public func - <Left: ExpressionTerm>(
    left: Left,
    right: Left.Value.Present
) -> FieldExpression<Left.Model, Left.Value> where Left.Value: ArithmeticValue {
    left.calling(.subtract, right)
}

/// The difference of two numbers, the first a constant.
public func - <Right: ExpressionTerm>(
    left: Right.Value.Present,
    right: Right
) -> FieldExpression<Right.Model, Right.Value> where Right.Value: ArithmeticValue {
    right.calling(.subtract, after: left)
}

/// The product of two numbers; an error where the type has no such number.
public func * <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value>
where Left.Model == Right.Model, Left.Value == Right.Value, Left.Value: ArithmeticValue {
    left.calling(.multiply, right)
}

/// The product of two numbers; nil where one of them is.
@_disfavoredOverload
public func * <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value.Present?>
where
    Left.Model == Right.Model,
    Left.Value: ArithmeticValue,
    Right.Value: ArithmeticValue,
    Left.Value.Present == Right.Value.Present
{
    left.calling(.multiply, right)
}

/// The product of two numbers, the second a constant.
public func * <Left: ExpressionTerm>(
    left: Left,
    right: Left.Value.Present
) -> FieldExpression<Left.Model, Left.Value> where Left.Value: ArithmeticValue {
    left.calling(.multiply, right)
}

/// The product of two numbers, the first a constant.
public func * <Right: ExpressionTerm>(
    left: Right.Value.Present,
    right: Right
) -> FieldExpression<Right.Model, Right.Value> where Right.Value: ArithmeticValue {
    right.calling(.multiply, after: left)
}

/// The quotient of two numbers; of integers toward zero.
public func / <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value>
where Left.Model == Right.Model, Left.Value == Right.Value, Left.Value: NumberValue {
    left.calling(.divide, right)
}

/// The quotient of two numbers; of integers toward zero; nil where one of them is.
@_disfavoredOverload
public func / <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value.Present?>
where
    Left.Model == Right.Model,
    Left.Value: NumberValue,
    Right.Value: NumberValue,
    Left.Value.Present == Right.Value.Present
{
    left.calling(.divide, right)
}

/// The quotient of two numbers; of integers toward zero, the second a constant.
public func / <Left: ExpressionTerm>(
    left: Left,
    right: Left.Value.Present
) -> FieldExpression<Left.Model, Left.Value> where Left.Value: NumberValue {
    left.calling(.divide, right)
}

/// The quotient of two numbers; of integers toward zero, the first a constant.
public func / <Right: ExpressionTerm>(
    left: Right.Value.Present,
    right: Right
) -> FieldExpression<Right.Model, Right.Value> where Right.Value: NumberValue {
    right.calling(.divide, after: left)
}

/// What a division of integers leaves, with the sign of the dividend.
public func % <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value>
where Left.Model == Right.Model, Left.Value == Right.Value, Left.Value: IntegerValue {
    left.calling(.remainder, right)
}

/// What a division of integers leaves, with the sign of the dividend; nil where one of them is.
@_disfavoredOverload
public func % <Left: ExpressionTerm, Right: ExpressionTerm>(
    left: Left,
    right: Right
) -> FieldExpression<Left.Model, Left.Value.Present?>
where
    Left.Model == Right.Model,
    Left.Value: IntegerValue,
    Right.Value: IntegerValue,
    Left.Value.Present == Right.Value.Present
{
    left.calling(.remainder, right)
}

/// What a division of integers leaves, with the sign of the dividend, the second a constant.
public func % <Left: ExpressionTerm>(
    left: Left,
    right: Left.Value.Present
) -> FieldExpression<Left.Model, Left.Value> where Left.Value: IntegerValue {
    left.calling(.remainder, right)
}

/// What a division of integers leaves, with the sign of the dividend, the first a constant.
public func % <Right: ExpressionTerm>(
    left: Right.Value.Present,
    right: Right
) -> FieldExpression<Right.Model, Right.Value> where Right.Value: IntegerValue {
    right.calling(.remainder, after: left)
}

/// The number with the other sign.
public prefix func - <Term: ExpressionTerm>(
    term: Term
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ArithmeticValue, Term.Value.Present: SignedNumeric {
    term.calling(.negate)
}

extension ExpressionTerm where Value: ExpressionValue {
    /// Returns a function of the term.
    func calling(_ function: RowFunction) -> FieldExpression<Model, Value> {
        fieldExpression.map { .function(function, Value.fieldType, [$0]) }
    }

    /// Returns a function of the term and another.
    func calling<Other: ExpressionTerm, Result>(
        _ function: RowFunction,
        _ other: Other
    ) -> FieldExpression<Model, Result> where Other.Model == Model {
        fieldExpression.combined(with: other.fieldExpression) {
            try .call(function.of(Value.fieldType), Value.fieldType, $0, $1)
        }
    }

    /// Returns a function of the term and a constant.
    func calling(
        _ function: RowFunction,
        _ constant: Value.Present
    ) -> FieldExpression<Model, Value> {
        fieldExpression.map {
            let type = Value.fieldType
            return try .call(function.of(type), type, $0, .constant(storing: constant))
        }
    }

    /// Returns a function of a constant and the term.
    func calling(
        _ function: RowFunction,
        after constant: Value.Present
    ) -> FieldExpression<Model, Value> {
        fieldExpression.map {
            let type = Value.fieldType
            return try .call(function.of(type), type, .constant(storing: constant), $0)
        }
    }
}

extension RowFunction {
    /// The function that an operator stands for with operands of a type: `+` joins texts.
    fileprivate func of(_ type: FieldType) -> RowFunction {
        self == .add && type == .text ? .join : self
    }
}
