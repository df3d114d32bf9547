// The smallest and the largest of several: a term and a constant have one type, and what is made of an absent one is absent.

/// The lesser of two terms, absent where one of them is.
public func min<Left: ExpressionTerm, Right: ExpressionTerm>(
    _ left: Left,
    _ right: Right
) -> FieldExpression<Left.Model, Left.Value>
where
    Left.Model == Right.Model,
    Left.Value == Right.Value,
    Left.Value: ExpressionValue,
    Left.Value.Present: Comparable
{
    left.calling(.least, right)
}

/// The lesser of two terms, one of which may be absent; nil where one is.
@_disfavoredOverload
public func min<Left: ExpressionTerm, Right: ExpressionTerm>(
    _ left: Left,
    _ right: Right
) -> FieldExpression<Left.Model, Left.Value.Present?>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present,
    Left.Value.Present: Comparable
{
    left.calling(.least, right)
}

/// The lesser of a term and a constant.
public func min<Term: ExpressionTerm>(
    _ term: Term,
    _ constant: Term.Value.Present
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.least, constant)
}

/// The lesser of a constant and a term.
public func min<Term: ExpressionTerm>(
    _ constant: Term.Value.Present,
    _ term: Term
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.least, constant)
}

/// The least of several terms, absent where one of them is.
public func min<First: ExpressionTerm, Second: ExpressionTerm, Third: ExpressionTerm>(
    _ first: First,
    _ second: Second,
    _ third: Third,
    _ rest: any ExpressionTerm<First.Model, First.Value>...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Model == Third.Model,
    First.Value == Second.Value,
    First.Value == Third.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    first.calling(.least, second, third, rest)
}

/// The least of a constant and several terms, absent where one of them is.
public func min<First: ExpressionTerm, Second: ExpressionTerm>(
    _ constant: First.Value.Present,
    _ first: First,
    _ second: Second,
    _ rest: any ExpressionTerm<First.Model, First.Value>...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Value == Second.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    first.calling(.least, constant, second, rest)
}

/// The least of several terms and a constant, absent where one of the terms is.
public func min<First: ExpressionTerm, Second: ExpressionTerm>(
    _ first: First,
    _ constant: First.Value.Present,
    _ second: Second,
    _ rest: any ExpressionTerm<First.Model, First.Value>...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Value == Second.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    first.calling(.least, constant, second, rest)
}

/// The least of two terms and constants, absent where one of the terms is.
public func min<First: ExpressionTerm, Second: ExpressionTerm>(
    _ first: First,
    _ second: Second,
    _ constant: First.Value.Present,
    _ constants: First.Value.Present...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Value == Second.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    let both: FieldExpression<First.Model, First.Value> = first.calling(.least, second)
    return constants.reduce(both.calling(.least, constant)) { $0.calling(.least, $1) }
}

/// The least of a term and constants, absent where the term is.
public func min<Term: ExpressionTerm>(
    _ term: Term,
    _ first: Term.Value.Present,
    _ second: Term.Value.Present,
    _ constants: Term.Value.Present...
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    constants.reduce(term.calling(.least, first).calling(.least, second)) {
        $0.calling(.least, $1)
    }
}

/// The least of constants and a term, absent where the term is.
public func min<Term: ExpressionTerm>(
    _ first: Term.Value.Present,
    _ second: Term.Value.Present,
    _ term: Term
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.least, first).calling(.least, second)
}

/// The least of a term between constants, absent where the term is.
public func min<Term: ExpressionTerm>(
    _ first: Term.Value.Present,
    _ term: Term,
    _ second: Term.Value.Present
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.least, first).calling(.least, second)
}

/// Unavailable: of four values or more, the constants are named first.
@available(
    *,
    unavailable,
    message:
        "of four values or more, one constant is named first or second, or several after two terms: 'min(1, $0.a, $0.b, $0.c)'"
)
@_disfavoredOverload
public func min<First, Second, Third, Fourth>(
    _ first: First,
    _ second: Second,
    _ third: Third,
    _ fourth: Fourth,
    _ rest: Any...
) -> FieldExpression<First.Model, First.Value> where First: ExpressionTerm {
    fatalError()
}

/// The greater of two terms, absent where one of them is.
public func max<Left: ExpressionTerm, Right: ExpressionTerm>(
    _ left: Left,
    _ right: Right
) -> FieldExpression<Left.Model, Left.Value>
where
    Left.Model == Right.Model,
    Left.Value == Right.Value,
    Left.Value: ExpressionValue,
    Left.Value.Present: Comparable
{
    left.calling(.greatest, right)
}

/// The greater of two terms, one of which may be absent; nil where one is.
@_disfavoredOverload
public func max<Left: ExpressionTerm, Right: ExpressionTerm>(
    _ left: Left,
    _ right: Right
) -> FieldExpression<Left.Model, Left.Value.Present?>
where
    Left.Model == Right.Model,
    Left.Value: ExpressionValue,
    Right.Value: ExpressionValue,
    Left.Value.Present == Right.Value.Present,
    Left.Value.Present: Comparable
{
    left.calling(.greatest, right)
}

/// The greater of a term and a constant.
public func max<Term: ExpressionTerm>(
    _ term: Term,
    _ constant: Term.Value.Present
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.greatest, constant)
}

/// The greater of a constant and a term.
public func max<Term: ExpressionTerm>(
    _ constant: Term.Value.Present,
    _ term: Term
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.greatest, constant)
}

/// The greatest of several terms, absent where one of them is.
public func max<First: ExpressionTerm, Second: ExpressionTerm, Third: ExpressionTerm>(
    _ first: First,
    _ second: Second,
    _ third: Third,
    _ rest: any ExpressionTerm<First.Model, First.Value>...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Model == Third.Model,
    First.Value == Second.Value,
    First.Value == Third.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    first.calling(.greatest, second, third, rest)
}

/// The greatest of a constant and several terms, absent where one of them is.
public func max<First: ExpressionTerm, Second: ExpressionTerm>(
    _ constant: First.Value.Present,
    _ first: First,
    _ second: Second,
    _ rest: any ExpressionTerm<First.Model, First.Value>...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Value == Second.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    first.calling(.greatest, constant, second, rest)
}

/// The greatest of several terms and a constant, absent where one of the terms is.
public func max<First: ExpressionTerm, Second: ExpressionTerm>(
    _ first: First,
    _ constant: First.Value.Present,
    _ second: Second,
    _ rest: any ExpressionTerm<First.Model, First.Value>...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Value == Second.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    first.calling(.greatest, constant, second, rest)
}

/// The greatest of two terms and constants, absent where one of the terms is.
public func max<First: ExpressionTerm, Second: ExpressionTerm>(
    _ first: First,
    _ second: Second,
    _ constant: First.Value.Present,
    _ constants: First.Value.Present...
) -> FieldExpression<First.Model, First.Value>
where
    First.Model == Second.Model,
    First.Value == Second.Value,
    First.Value: ExpressionValue,
    First.Value.Present: Comparable
{
    let both: FieldExpression<First.Model, First.Value> = first.calling(.greatest, second)
    return constants.reduce(both.calling(.greatest, constant)) { $0.calling(.greatest, $1) }
}

/// The greatest of a term and constants, absent where the term is.
public func max<Term: ExpressionTerm>(
    _ term: Term,
    _ first: Term.Value.Present,
    _ second: Term.Value.Present,
    _ constants: Term.Value.Present...
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    constants.reduce(term.calling(.greatest, first).calling(.greatest, second)) {
        $0.calling(.greatest, $1)
    }
}

/// The greatest of constants and a term, absent where the term is.
public func max<Term: ExpressionTerm>(
    _ first: Term.Value.Present,
    _ second: Term.Value.Present,
    _ term: Term
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.greatest, first).calling(.greatest, second)
}

/// The greatest of a term between constants, absent where the term is.
public func max<Term: ExpressionTerm>(
    _ first: Term.Value.Present,
    _ term: Term,
    _ second: Term.Value.Present
) -> FieldExpression<Term.Model, Term.Value>
where Term.Value: ExpressionValue, Term.Value.Present: Comparable {
    term.calling(.greatest, first).calling(.greatest, second)
}

/// Unavailable: of four values or more, the constants are named first.
@available(
    *,
    unavailable,
    message:
        "of four values or more, one constant is named first or second, or several after two terms: 'max(1, $0.a, $0.b, $0.c)'"
)
@_disfavoredOverload
public func max<First, Second, Third, Fourth>(
    _ first: First,
    _ second: Second,
    _ third: Third,
    _ fourth: Fourth,
    _ rest: Any...
) -> FieldExpression<First.Model, First.Value> where First: ExpressionTerm {
    fatalError()
}

extension ExpressionTerm where Value: ExpressionValue {
    /// Returns a function of the term and several others.
    fileprivate func calling(
        _ function: RowFunction,
        _ second: some ExpressionTerm<Model, Value>,
        _ third: some ExpressionTerm<Model, Value>,
        _ rest: [any ExpressionTerm<Model, Value>]
    ) -> FieldExpression<Model, Value> {
        let both: FieldExpression<Model, Value> = calling(function, second)
        return rest.reduce(both.calling(function, third)) {
            $0.calling(function, $1.fieldExpression)
        }
    }

    /// Returns a function of the term, a constant and several others.
    fileprivate func calling(
        _ function: RowFunction,
        _ constant: Value.Present,
        _ second: some ExpressionTerm<Model, Value>,
        _ rest: [any ExpressionTerm<Model, Value>]
    ) -> FieldExpression<Model, Value> {
        let both: FieldExpression<Model, Value> = calling(function, constant)
        return rest.reduce(both.calling(function, second)) {
            $0.calling(function, $1.fieldExpression)
        }
    }
}
