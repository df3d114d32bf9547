extension JoinRequest {
    /// Returns a request for the groups of rows that are equal in some fields, or in what is computed from fields.
    ///
    /// ```swift
    /// let revenue = lines.grouped { line, product in product.category }
    ///     .having { $0.count > 10 }
    ///     .select(.count, .sum { line, product in line.price * line.quantity })
    /// ```
    public func grouped<each Key: ExpressionTerm>(
        by keys: (Rows.Fields) -> (repeat each Key)
    ) -> GroupRequest<Rows, repeat (each Key).Value>
    where repeat (each Key).Value: ColumnValue {
        let terms = Rows.make(keys).0
        var rowKeys: [Result<RowGrouping.Key, any Error>] = []
        for term in repeat each terms {
            rowKeys.append(Result { try term.groupKey(of: Rows.self) })
        }
        return GroupRequest(
            request: request,
            fields: Result { () throws(DBClientError) in
                do {
                    return try rowKeys.map { try $0.get() }
                } catch {
                    throw DBClientError.wrapping(error)
                }
            },
            mapped: nil
        )
    }

    /// Returns a request for the different values of some fields, or of what is computed from fields, ascending, nil first.
    public func distinct<each Key: ExpressionTerm>(
        _ keys: (Rows.Fields) -> (repeat each Key)
    ) -> SelectRequest<(repeat (each Key).Value)>
    where repeat (each Key).Value: ColumnValue {
        grouped(by: keys).keys
    }
}

extension GroupTerm where Model: JoinedRows, Value: ExpressionValue & Numeric {
    /// The sum of what is computed, absent values left out: `.sum { line, product in line.quantity * product.price }`;
    /// zero of none.
    public static func sum<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> Self where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present == Value {
        Self(.sum, Model.make(term).0) { (slot: Slot) throws(SlotError) in try Value(sum: slot) }
    }
}

extension GroupTerm where Model: JoinedRows, Value == Double? {
    /// The average of what is computed; nil of none.
    public static func average<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> Self where Term.Model == Model, Term.Value: ArithmeticValue {
        Self(.average, Model.make(term).0) { (slot: Slot) throws(SlotError) in
            try Double?(slot: slot)
        }
    }
}

extension GroupTerm where Model: JoinedRows {
    /// The smallest of what is computed, absent values left out.
    public static func min<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> Self
    where
        Term.Model == Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable,
        Value == Term.Value.Present?
    {
        Self(.minimum, Model.make(term).0) { (slot: Slot) throws(SlotError) in
            try Value(slot: slot)
        }
    }

    /// The largest of what is computed, absent values left out.
    public static func max<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> Self
    where
        Term.Model == Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable,
        Value == Term.Value.Present?
    {
        Self(.maximum, Model.make(term).0) { (slot: Slot) throws(SlotError) in
            try Value(slot: slot)
        }
    }
}

extension GroupFields where Model: JoinedRows {
    /// The sum of what is computed, absent values left out:
    /// `having { $0.sum { line, product in line.quantity * product.price } > 100 }`; zero of none.
    public func sum<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> GroupTerm<Model, Term.Value.Present>
    where Term.Model == Model, Term.Value: ExpressionValue, Term.Value.Present: Numeric {
        .sum(term)
    }

    /// The average of what is computed; nil of none.
    public func average<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> GroupTerm<Model, Double?> where Term.Model == Model, Term.Value: ArithmeticValue {
        .average(term)
    }

    /// The smallest of what is computed, absent values left out; nil of none.
    public func min<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
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
        _ term: (Model.Fields) -> Term
    ) -> GroupTerm<Model, Term.Value.Present?>
    where
        Term.Model == Model,
        Term.Value: ExpressionValue,
        Term.Value.Present: Comparable
    {
        .max(term)
    }
}
