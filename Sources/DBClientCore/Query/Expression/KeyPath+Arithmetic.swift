// Arithmetic of a model's own properties, where they are assigned: `$0.set(\.stock, to: \.stock - \.reserved)`. What is
// computed is the same as of the fields that closures are given.

/// The sum of two properties, or two texts one after the other.
public func + <Model: Stored, Value: AdditiveValue>(
    left: KeyPath<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) + right.expression(scope: 0)
}

/// The sum of two properties, or two texts one after the other, the second a constant.
public func + <Model: Stored, Value: AdditiveValue>(
    left: KeyPath<Model, Value>,
    right: Value.Present
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) + right
}

/// The sum of two properties, or two texts one after the other, the first a constant.
public func + <Model: Stored, Value: AdditiveValue>(
    left: Value.Present,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left + right.expression(scope: 0)
}

/// The sum of two properties, or two texts one after the other, the first an expression.
public func + <Model: Stored, Value: AdditiveValue>(
    left: FieldExpression<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left + right.expression(scope: left.scope)
}

/// The sum of two properties, or two texts one after the other, the second an expression.
public func + <Model: Stored, Value: AdditiveValue>(
    left: KeyPath<Model, Value>,
    right: FieldExpression<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: right.scope) + right
}

/// The first property less the second.
public func - <Model: Stored, Value: ArithmeticValue>(
    left: KeyPath<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) - right.expression(scope: 0)
}

/// The first property less the second, the second a constant.
public func - <Model: Stored, Value: ArithmeticValue>(
    left: KeyPath<Model, Value>,
    right: Value.Present
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) - right
}

/// The first property less the second, the first a constant.
public func - <Model: Stored, Value: ArithmeticValue>(
    left: Value.Present,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left - right.expression(scope: 0)
}

/// The first property less the second, the first an expression.
public func - <Model: Stored, Value: ArithmeticValue>(
    left: FieldExpression<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left - right.expression(scope: left.scope)
}

/// The first property less the second, the second an expression.
public func - <Model: Stored, Value: ArithmeticValue>(
    left: KeyPath<Model, Value>,
    right: FieldExpression<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: right.scope) - right
}

/// The product of two properties.
public func * <Model: Stored, Value: ArithmeticValue>(
    left: KeyPath<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) * right.expression(scope: 0)
}

/// The product of two properties, the second a constant.
public func * <Model: Stored, Value: ArithmeticValue>(
    left: KeyPath<Model, Value>,
    right: Value.Present
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) * right
}

/// The product of two properties, the first a constant.
public func * <Model: Stored, Value: ArithmeticValue>(
    left: Value.Present,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left * right.expression(scope: 0)
}

/// The product of two properties, the first an expression.
public func * <Model: Stored, Value: ArithmeticValue>(
    left: FieldExpression<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left * right.expression(scope: left.scope)
}

/// The product of two properties, the second an expression.
public func * <Model: Stored, Value: ArithmeticValue>(
    left: KeyPath<Model, Value>,
    right: FieldExpression<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: right.scope) * right
}

/// The quotient of two properties; of integers toward zero.
public func / <Model: Stored, Value: NumberValue>(
    left: KeyPath<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) / right.expression(scope: 0)
}

/// The quotient of two properties; of integers toward zero, the second a constant.
public func / <Model: Stored, Value: NumberValue>(
    left: KeyPath<Model, Value>,
    right: Value.Present
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) / right
}

/// The quotient of two properties; of integers toward zero, the first a constant.
public func / <Model: Stored, Value: NumberValue>(
    left: Value.Present,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left / right.expression(scope: 0)
}

/// The quotient of two properties; of integers toward zero, the first an expression.
public func / <Model: Stored, Value: NumberValue>(
    left: FieldExpression<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left / right.expression(scope: left.scope)
}

/// The quotient of two properties; of integers toward zero, the second an expression.
public func / <Model: Stored, Value: NumberValue>(
    left: KeyPath<Model, Value>,
    right: FieldExpression<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: right.scope) / right
}

/// What a division of integers leaves, with the sign of the dividend.
public func % <Model: Stored, Value: IntegerValue>(
    left: KeyPath<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) % right.expression(scope: 0)
}

/// What a division of integers leaves, with the sign of the dividend, the second a constant.
public func % <Model: Stored, Value: IntegerValue>(
    left: KeyPath<Model, Value>,
    right: Value.Present
) -> FieldExpression<Model, Value> {
    left.expression(scope: 0) % right
}

/// What a division of integers leaves, with the sign of the dividend, the first a constant.
public func % <Model: Stored, Value: IntegerValue>(
    left: Value.Present,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left % right.expression(scope: 0)
}

/// What a division of integers leaves, with the sign of the dividend, the first an expression.
public func % <Model: Stored, Value: IntegerValue>(
    left: FieldExpression<Model, Value>,
    right: KeyPath<Model, Value>
) -> FieldExpression<Model, Value> {
    left % right.expression(scope: left.scope)
}

/// What a division of integers leaves, with the sign of the dividend, the second an expression.
public func % <Model: Stored, Value: IntegerValue>(
    left: KeyPath<Model, Value>,
    right: FieldExpression<Model, Value>
) -> FieldExpression<Model, Value> {
    left.expression(scope: right.scope) % right
}

extension KeyPath where Root: Stored, Value: ExpressionValue {
    /// The property as an expression of the field that it is stored in.
    func expression(scope: Int) -> FieldExpression<Root, Value> {
        Fields<Root>(scope: scope)[dynamicMember: self].fieldExpression
    }
}

extension FieldExpression {
    /// Returns the same for a model that is stored in the shape of this one.
    func of<Other: StoredConvertible>(_ model: Other.Type) -> FieldExpression<Other, Value>
    where Other.Storage == Model {
        FieldExpression<Other, Value>(scope: scope, path: path) {
            if let failure { throw failure }
            return row
        }
    }
}
