// What a row gets from the rows of a window.
extension Window {
    /// The position of the row, from 1 on.
    public var rowNumber: FieldExpression<Model, Int> { value(.rowNumber) }

    /// One more than the number of rows before it that are not alike in the window's sort: 1, 2, 2, 4.
    public var rank: FieldExpression<Model, Int> { value(.rank) }

    /// One more than the number of different places before it in the window's sort: 1, 2, 2, 3.
    public var denseRank: FieldExpression<Model, Int> { value(.denseRank) }

    /// How many rows there are; in a window that is sorted, up to this one.
    public var count: FieldExpression<Model, Int> { value(.count) }

    /// The sum, absent values left out; zero of none.
    ///
    /// In a window that is sorted it is that up to this row. One that leaves the range of the field's type is the error `.invalidValue`.
    public func sum<Term: ExpressionTerm>(
        _ term: Term
    ) -> FieldExpression<Model, Term.Value.Present>
    where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present: Numeric {
        value(.aggregate(.sum), term, .sum)
    }

    /// The average, absent values left out; nil of none.
    ///
    /// In a window that is sorted it is that up to this row.
    public func average<Term: ExpressionTerm>(_ term: Term) -> FieldExpression<Model, Double?>
    where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present: Numeric {
        value(.aggregate(.average), term, .average)
    }

    /// The smallest value, absent ones left out; nil of none.
    ///
    /// In a window that is sorted it is that up to this row.
    public func min<Term: ExpressionTerm>(
        _ term: Term
    ) -> FieldExpression<Model, Term.Value.Present?>
    where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present: Comparable {
        value(.aggregate(.minimum), term)
    }

    /// The largest value, absent ones left out; nil of none.
    ///
    /// In a window that is sorted it is that up to this row.
    public func max<Term: ExpressionTerm>(
        _ term: Term
    ) -> FieldExpression<Model, Term.Value.Present?>
    where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present: Comparable {
        value(.aggregate(.maximum), term)
    }

    /// The row's value divided by the sum over all rows of the window, sorted or not; nil where it is absent or the sum is
    /// zero.
    public func share<Term: ExpressionTerm>(of term: Term) -> FieldExpression<Model, Double?>
    where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present: Numeric {
        value(.share, term, .sum)
    }

    /// The value of the row so many before this one; nil where there is none, or it is absent there.
    public func lag<Term: ExpressionTerm>(
        _ term: Term,
        by distance: Int = 1
    ) -> FieldExpression<Model, Term.Value.Present?>
    where Term.Model == Model, Term.Value: ExpressionValue {
        value(.before(distance), term)
    }

    /// The value of the row so many after this one; nil where there is none, or it is absent there.
    public func lead<Term: ExpressionTerm>(
        _ term: Term,
        by distance: Int = 1
    ) -> FieldExpression<Model, Term.Value.Present?>
    where Term.Model == Model, Term.Value: ExpressionValue {
        let (opposite, hasOverflown) = (0).subtractingReportingOverflow(distance)
        return value(.before(hasOverflown ? .max : opposite), term)
    }

    /// The value of the window's first row, which may be absent.
    public func first<Term: ExpressionTerm>(
        _ term: Term
    ) -> FieldExpression<Model, Term.Value.Present?>
    where Term.Model == Model, Term.Value: ExpressionValue {
        value(.end(isFirst: true), term)
    }

    /// The value of the window's last row, sorted or not, which may be absent.
    public func last<Term: ExpressionTerm>(
        _ term: Term
    ) -> FieldExpression<Model, Term.Value.Present?>
    where Term.Model == Model, Term.Value: ExpressionValue {
        value(.end(isFirst: false), term)
    }

    private func value<Term: ExpressionTerm, Result>(
        _ function: RowWindow.Function,
        _ term: Term,
        _ aggregate: AggregateFunction? = nil
    ) -> FieldExpression<Model, Result> where Term.Model == Model {
        value(function) {
            let key = try term.groupKey(of: Model.self)
            let entity = Model.Storage.schema.entity
            if let aggregate { try key.owner(entity).check(aggregate, on: key.field(of: entity)) }
            return [key]
        }
    }
}
