// One of two values, by a condition: `($0.stock > 0).then($0.price, else: 0)`.
extension Condition {
    /// Returns one term where the condition is true, else the other, which is not computed.
    ///
    /// The condition must be on fields of the value itself.
    public func then<Left: ExpressionTerm, Right: ExpressionTerm>(
        _ value: Left,
        else other: Right
    ) -> FieldExpression<Model, Left.Value>
    where
        Left.Model == Model,
        Right.Model == Model,
        Left.Value == Right.Value,
        Left.Value: ExpressionValue
    {
        chosen(
            from: value.fieldExpression.combined(with: other.fieldExpression) {
                try choosing($0, else: $1)
            }
        )
    }

    /// Returns a term where the condition is true, else a constant.
    public func then<Term: ExpressionTerm>(
        _ value: Term,
        else other: Term.Value
    ) -> FieldExpression<Model, Term.Value>
    where Term.Model == Model, Term.Value: ExpressionValue {
        chosen(
            from: value.fieldExpression.map {
                try choosing($0, else: .constant(storing: other))
            }
        )
    }

    /// Returns a constant where the condition is true, else a term, which is not computed.
    public func then<Term: ExpressionTerm>(
        _ value: Term.Value,
        else other: Term
    ) -> FieldExpression<Model, Term.Value>
    where Term.Model == Model, Term.Value: ExpressionValue {
        chosen(
            from: other.fieldExpression.map {
                try choosing(.constant(storing: value), else: $0)
            }
        )
    }

    /// Returns one constant where the condition is true, else the other.
    public func then<Value: ExpressionValue>(
        _ value: Value,
        else other: Value
    ) -> FieldExpression<Model, Value> {
        FieldExpression(scope: scope ?? 0, path: []) {
            try choosing(.constant(storing: value), else: .constant(storing: other))
        }
    }

    /// Returns a choice by the condition, whose fields are no others than those that it is on.
    private func chosen<Value>(
        from choice: FieldExpression<Model, Value>
    ) -> FieldExpression<Model, Value> {
        FieldExpression(scope: choice.scope, path: choice.path) {
            if let failure = choice.failure { throw failure }
            // The condition is on the row at the beginning of the path.
            if !choice.path.isEmpty { throw misplaced }
            if let failure = failure(besides: choice.scope) { throw failure }
            return choice.row
        }
    }

    private var misplaced: DBClientError {
        DBClientError(
            .invalidRequest,
            "A condition that chooses must be on fields of the value itself, and choose among these.",
            entity: Model.Storage.schema.entity.name,
            hint: "Choose in Swift, or join the models."
        )
    }

    private func choosing(
        _ value: RowExpression,
        else other: RowExpression
    ) throws -> RowExpression {
        if let failure { throw failure }
        if row.reachesRelatedRows { throw misplaced }
        return .choice(row, then: value, else: other)
    }
}
