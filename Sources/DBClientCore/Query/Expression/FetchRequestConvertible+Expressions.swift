extension FetchRequestConvertible {
    /// Returns a request for what is computed from the fields of the values, and for fields, in the request's order, its
    /// limit and offset applied.
    ///
    /// ```swift
    /// let amounts = try await client.fetch(Line.all.select { ($0.id, $0.price * $0.quantity) })
    /// ```
    ///
    /// The engine gives the fields, of which the library computes the rest, and the functions of a ``Window``.
    public func select<each Term: ExpressionTerm>(
        _ terms: (Fields<Model>) -> (repeat each Term)
    ) -> SelectRequest<(repeat (each Term).Value)>
    where repeat (each Term).Value: ColumnValue {
        let terms = terms(Fields())
        var keys: [Result<RowGrouping.Key, any Error>] = []
        for term in repeat each terms {
            keys.append(Result { try term.selectedField(of: Model.self) })
        }
        let plan = ColumnPlan(of: request) { try keys.map { try $0.get() } }
        let fields = SelectedFields<(repeat (each Term).Value)>(plan) { slots, rows in
            guard var row = ColumnDecoder(slots) else { return }
            rows.append((repeat try row.next((each Term).Value.self, plan)))
        }
        return SelectRequest(plan, of: fields) { transaction, sieve, rows in
            try plan.run(transaction, keptBy: sieve) { batch in
                plan.makeRoom(for: batch, in: &rows)
                for index in 0..<batch.count {
                    var row = ColumnDecoder(batch, at: index)
                    rows.append((repeat try row.next((each Term).Value.self, plan)))
                }
            }
        }
    }
}

extension ExpressionTerm {
    /// Returns the term as a field that is selected, which may be what a row gets from those that are like it.
    ///
    /// - Throws: `.invalidRequest` for a term of another model, which no type says of a list of terms.
    func selectedField(of model: any StoredConvertible.Type) throws -> RowGrouping.Key {
        guard Model.self == model, let window = fieldExpression.window else {
            return try groupKey(of: model)
        }
        return RowGrouping.Key(try window.get())
    }

    /// Returns the term as a field that is grouped by.
    ///
    /// - Throws: `.invalidRequest` for a term of another model, which no type says of a list of terms.
    func groupKey(of model: any StoredConvertible.Type) throws -> RowGrouping.Key {
        guard Model.self == model else {
            throw DBClientError(
                .invalidRequest,
                "The terms must be made of the fields that are passed to the closure.",
                entity: Model.Storage.schema.entity.name
            )
        }
        let expression = fieldExpression
        if let failure = expression.failure { throw failure }
        try expression.entity.checkNesting(of: expression.row)
        return RowGrouping.Key(expression.row, through: expression.path)
    }
}

extension EntitySchema {
    /// Throws where an expression is nested deeper than every engine takes.
    func checkNesting(of expression: RowExpression) throws {
        let isTooDeep = RowCondition.computed(expression, .equal, expression)
            .isNested(deeperThan: RowCondition.maximumNesting)
        if isTooDeep { throw RowCondition.nestedTooDeep(self) }
    }
}

extension GroupTerm where Value: ExpressionValue & Numeric {
    /// The sum of what is computed, absent values left out: `.sum { $0.price * $0.quantity }`; zero of none.
    public static func sum<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> Self where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present == Value {
        Self(.sum, term(Fields())) { (slot: Slot) throws(SlotError) in try Value(sum: slot) }
    }
}

extension GroupTerm where Value == Double? {
    /// The average of what is computed; nil of none.
    public static func average<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> Self where Term.Model == Model, Term.Value: ArithmeticValue {
        Self(.average, term(Fields())) { (slot: Slot) throws(SlotError) in try Double?(slot: slot) }
    }
}

extension GroupTerm {
    /// The smallest of what is computed, absent values left out.
    public static func min<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> Self
    where
        Term.Model == Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable,
        Value == Term.Value.Present?
    {
        Self(.minimum, term(Fields())) { (slot: Slot) throws(SlotError) in try Value(slot: slot) }
    }

    /// The largest of what is computed, absent values left out.
    public static func max<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> Self
    where
        Term.Model == Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable,
        Value == Term.Value.Present?
    {
        Self(.maximum, term(Fields())) { (slot: Slot) throws(SlotError) in try Value(slot: slot) }
    }

    init<Term: ExpressionTerm>(
        _ function: AggregateFunction,
        _ term: Term,
        _ decode: @escaping @Sendable (Slot) throws(SlotError) -> Value
    ) where Term.Model == Model {
        self.init(
            Result { () throws(DBClientError) in
                do {
                    return .heldFunction(function, try term.groupKey(of: Model.self))
                } catch {
                    throw DBClientError.wrapping(error)
                }
            },
            decode
        )
    }
}

extension GroupFields {
    /// The sum of what is computed, absent values left out: `having { $0.sum { $0.price * $0.quantity } > 100 }`; zero of
    /// none.
    public func sum<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> GroupTerm<Model, Term.Value.Present>
    where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present: Numeric {
        .sum(term)
    }

    /// The average of what is computed; nil of none.
    public func average<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> GroupTerm<Model, Double?> where Term.Model == Model, Term.Value: ArithmeticValue {
        .average(term)
    }

    /// The smallest of what is computed, absent values left out; nil of none.
    public func min<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> GroupTerm<Model, Term.Value.Present?>
    where
        Term.Model == Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable
    {
        .min(term)
    }

    /// The largest of what is computed, absent values left out; nil of none.
    public func max<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> GroupTerm<Model, Term.Value.Present?>
    where
        Term.Model == Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable
    {
        .max(term)
    }
}
