// Membership of what is computed: in a list, and in a range.
extension FieldExpression where Value: ExpressionValue {
    /// True when the value is one of others; nil among them stands for an absent value.
    public func isIn(_ values: some Sequence<Value>) -> Condition<Model> {
        isMember(of: values)
    }

    /// True when the value is present and one of others.
    @_disfavoredOverload
    public func isIn<Wrapped: ExpressionValue>(
        _ values: some Sequence<Wrapped>
    ) -> Condition<Model> where Value == Wrapped? {
        isMember(of: values)
    }

    private func isMember(of values: some Sequence<some ExpressionValue>) -> Condition<Model> {
        condition { row in
            .any(try values.map { .comparing(row, .equal, try .constant(storing: $0)) })
        }
    }
}

extension FieldExpression where Value: ExpressionValue, Value.Present: Comparable {
    /// True when the value is present and lies in the range, both ends included.
    public func isBetween(_ range: ClosedRange<Value.Present>) -> Condition<Model> {
        compare(.greaterOrEqual, present: range.lowerBound)
            && compare(.lessOrEqual, present: range.upperBound)
    }

    /// True when the value is present and lies in the range, its upper end excluded.
    public func isBetween(_ range: Range<Value.Present>) -> Condition<Model> {
        compare(.greaterOrEqual, present: range.lowerBound)
            && compare(.less, present: range.upperBound)
    }

    /// True when the value is present and the range's lower end or greater.
    public func isBetween(_ range: PartialRangeFrom<Value.Present>) -> Condition<Model> {
        compare(.greaterOrEqual, present: range.lowerBound)
    }

    /// True when the value is present and the range's upper end or less.
    public func isBetween(_ range: PartialRangeThrough<Value.Present>) -> Condition<Model> {
        compare(.lessOrEqual, present: range.upperBound)
    }

    /// True when the value is present and less than the range's upper end.
    public func isBetween(_ range: PartialRangeUpTo<Value.Present>) -> Condition<Model> {
        compare(.less, present: range.upperBound)
    }

    private func compare(
        _ comparison: Comparison,
        present value: Value.Present
    ) -> Condition<Model> {
        condition { .comparing($0, comparison, try .constant(storing: value)) }
    }
}

extension FieldExpression where Value: ExpressionValue & TextValue {
    /// True when the text is present and empty.
    public var isEmpty: Condition<Model> {
        condition { .comparing($0, .equal, try .constant(storing: "")) }
    }
}

extension Sequence where Element: ExpressionValue {
    /// True when what is computed is one of the values: `isIn` the other way round, as predicates say it.
    public func contains<Model>(_ expression: FieldExpression<Model, Element>) -> Condition<Model> {
        expression.isIn(self)
    }

    /// True when what is computed is present and one of the values.
    public func contains<Model>(
        _ expression: FieldExpression<Model, Element?>
    ) -> Condition<Model> {
        expression.isIn(self)
    }
}

extension ClosedRange where Bound: ExpressionValue, Bound.Present == Bound {
    /// True when what is computed lies in the range, both ends included: `isBetween` the other way round.
    @_disfavoredOverload
    public func contains<Model>(_ expression: FieldExpression<Model, Bound>) -> Condition<Model> {
        expression.isBetween(self)
    }
}

extension Range where Bound: ExpressionValue, Bound.Present == Bound {
    /// True when what is computed lies in the range, its upper end excluded: `isBetween` the other way round.
    @_disfavoredOverload
    public func contains<Model>(_ expression: FieldExpression<Model, Bound>) -> Condition<Model> {
        expression.isBetween(self)
    }
}
