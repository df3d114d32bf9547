public import Foundation

// Decimals: exact where they are added, subtracted and multiplied, rounded where that is asked for.
extension ExpressionTerm where Value: ArithmeticValue, Value.Present == Decimal {
    /// Returns the decimal with so many digits behind the point, rounded to the nearest, from zero where two are as near.
    ///
    /// - Parameter scale: The number of digits, from -128 to 128; below zero tens, hundreds and so on are kept.
    /// - Returns: The rounded decimal, nil where the decimal is.
    public func rounded(scale: Int) -> FieldExpression<Model, Value> {
        fieldExpression.map { try .quotient($0, try .constant(storing: 1 as Decimal), scale) }
    }

    /// Returns the quotient with so many digits behind the point, rounded to the nearest, from zero where two are as near.
    ///
    /// A divisor of zero is an error, and so is a quotient of more than 38 digits.
    ///
    /// - Parameters:
    ///   - divisor: The decimal to divide by.
    ///   - scale: The number of digits, from -128 to 128; below zero tens, hundreds and so on are kept.
    /// - Returns: The quotient, nil where an operand is.
    public func divided<Divisor: ExpressionTerm>(
        by divisor: Divisor,
        scale: Int
    ) -> FieldExpression<Model, Value> where Divisor.Model == Model, Divisor.Value == Value {
        fieldExpression.combined(with: divisor.fieldExpression) { try .quotient($0, $1, scale) }
    }

    /// Returns the quotient of the decimal and a constant, rounded as that of two terms.
    ///
    /// - Parameters:
    ///   - divisor: The decimal to divide by.
    ///   - scale: The number of digits, from -128 to 128; below zero tens, hundreds and so on are kept.
    /// - Returns: The quotient, nil where an operand is.
    public func divided(by divisor: Decimal, scale: Int) -> FieldExpression<Model, Value> {
        fieldExpression.map { try .quotient($0, try .constant(storing: divisor), scale) }
    }
}

extension ExpressionTerm where Value == Decimal {
    /// Returns the decimal as a number of another type: to the nearest double or float, or toward zero to an integer, whose
    /// range it must not leave.
    public func converted<Number: NumberValue & Numeric>(
        to type: Number.Type
    ) -> FieldExpression<Model, Number> {
        fieldExpression.map { .function(.convert, Number.fieldType, [$0]) }
    }
}

extension ExpressionTerm where Value == Decimal? {
    /// Returns the decimal as a number of another type; nil where it is absent.
    public func converted<Number: NumberValue & Numeric>(
        to type: Number.Type
    ) -> FieldExpression<Model, Number?> {
        fieldExpression.map { .function(.convert, Number.fieldType, [$0]) }
    }
}

extension ExpressionTerm where Value: IntegerValue & Numeric {
    /// Returns the integer as a decimal.
    public func converted(to type: Decimal.Type) -> FieldExpression<Model, Decimal> {
        fieldExpression.map { .function(.convert, .decimal, [$0]) }
    }
}

extension ExpressionTerm {
    /// Returns the integer as a decimal; nil where it is absent.
    public func converted<Wrapped: IntegerValue>(
        to type: Decimal.Type
    ) -> FieldExpression<Model, Decimal?> where Value == Wrapped? {
        fieldExpression.map { .function(.convert, .decimal, [$0]) }
    }
}

extension RowExpression {
    fileprivate static func quotient(
        _ dividend: RowExpression,
        _ divisor: RowExpression,
        _ scale: Int
    ) throws -> RowExpression {
        guard (-128...128).contains(scale) else {
            throw DBClientError(
                .invalidRequest,
                "The number of digits behind the point must be from -128 to 128; got \(scale)."
            )
        }
        let digits = try RowExpression.constant(storing: Decimal(scale))
        return .function(.quotient, .decimal, [dividend, divisor, digits])
    }
}
