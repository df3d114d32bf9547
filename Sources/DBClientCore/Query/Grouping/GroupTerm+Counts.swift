// How many values a group has: all, those that fulfil a condition, or the different ones of a field.
extension GroupTerm where Value == Int {
    /// How many values the group has.
    public static var count: Self { Self(.success(.count), number) }

    /// How many values of the group fulfil a condition on their own fields: `.count { $0.isActive == true }`.
    public static func count(where condition: (Fields<Model>) -> Condition<Model>) -> Self {
        Self(counting: condition(Fields()))
    }

    /// How many different values a field has in the group, absent ones left out.
    ///
    /// A field may be of what is embedded and of what a to-one relationship holds.
    public static func countDistinct<Element: ColumnValue>(_ field: KeyPath<Model, Element>) -> Self
    {
        Self(building: number) { .distinctCount(try Model.place(of: field)) }
    }

    /// How many different values what is computed has in the group, absent ones left out.
    public static func countDistinct<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> Self where Term.Model == Model {
        Self(countingDifferent: term(Fields()))
    }

    private init(counting condition: Condition<Model>) {
        self.init(.sum, condition.then(1, else: 0)) { (slot: Slot) throws(SlotError) in
            try Int(sum: slot)
        }
    }

    private init<Term: ExpressionTerm>(countingDifferent term: Term) where Term.Model == Model {
        self.init(building: Self.number) { .distinctCount(try term.groupKey(of: Model.self)) }
    }

    private static var number: @Sendable (Slot) throws(SlotError) -> Int {
        { (slot: Slot) throws(SlotError) in try Int(slot: slot) }
    }
}

extension GroupTerm where Model: JoinedRows, Value == Int {
    /// How many rows of the group fulfil a condition on their fields: `.count { line, product in line.price > 10 }`.
    public static func count(where condition: (Model.Fields) -> Condition<Model>) -> Self {
        let (condition, scope) = Model.make(condition)
        return Self(counting: condition.checked(scope))
    }

    /// How many different values a field, or what is computed, has in the group, absent ones left out:
    /// `.countDistinct { line, product in product.category }`.
    public static func countDistinct<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> Self where Term.Model == Model {
        Self(countingDifferent: Model.make(term).0)
    }
}

extension GroupFields {
    /// How many values the group has.
    public var count: GroupTerm<Model, Int> { .count }

    /// How many values of the group fulfil a condition on their own fields.
    public func count(
        where condition: (Fields<Model>) -> Condition<Model>
    ) -> GroupTerm<Model, Int> {
        .count(where: condition)
    }

    /// How many different values a field has in the group, absent ones left out.
    public func countDistinct<Value: ColumnValue>(
        _ field: KeyPath<Model, Value>
    ) -> GroupTerm<Model, Int> {
        .countDistinct(field)
    }

    /// How many different values what is computed has in the group, absent ones left out.
    public func countDistinct<Term: ExpressionTerm>(
        _ term: (Fields<Model>) -> Term
    ) -> GroupTerm<Model, Int> where Term.Model == Model {
        .countDistinct(term)
    }
}

extension GroupFields where Model: JoinedRows {
    /// How many rows of the group fulfil a condition on their fields.
    public func count(
        where condition: (Model.Fields) -> Condition<Model>
    ) -> GroupTerm<Model, Int> {
        .count(where: condition)
    }

    /// How many different values a field, or what is computed, has in the group, absent ones left out.
    public func countDistinct<Term: ExpressionTerm>(
        _ term: (Model.Fields) -> Term
    ) -> GroupTerm<Model, Int> where Term.Model == Model {
        .countDistinct(term)
    }
}
