import DBClientCore

extension FieldAccess where Value: StorableValue {
    typealias Maker = @Sendable (Draws) -> PairedCondition<Model>

    /// Equal, different, and one of a list.
    var equalities: [Maker] {
        let (name, field, get, make) = (name, field, get, make)
        return [
            { draws in
                let value = make(draws)
                return PairedCondition(
                    "\(name) == \(value.shown)", { Value.order(get($0), value) == 0 }
                ) { field($0) == value }
            },
            { draws in
                let value = make(draws)
                return PairedCondition(
                    "\(name) != \(value.shown)", { Value.order(get($0), value) != 0 }
                ) { field($0) != value }
            },
            { draws in
                let values = draws.list(upTo: 4, make)
                return PairedCondition(
                    "\(name) in [\(values.map(\.shown).joined(separator: ", "))]",
                    { model in values.contains { Value.order(get(model), $0) == 0 } }
                ) { field($0).isIn(values) }
            },
        ]
    }

    /// Ascending or descending, with nil at either end.
    func ordering(_ draws: Draws) -> PairedOrdering<Model> {
        ordering(draws, ignoringCase: false, Value.order)
    }

    fileprivate func ordering(
        _ draws: Draws, ignoringCase: Bool,
        _ compare: @escaping @Sendable (Value, Value) -> Int
    ) -> PairedOrdering<Model> {
        let isDescending = draws.chance(40)
        let flipsNil = draws.chance(20)
        let nilsFirst = isDescending == flipsNil
        var text = "\(name) \(isDescending ? "descending" : "ascending")"
        if flipsNil { text += nilsFirst ? " nilsFirst" : " nilsLast" }
        if ignoringCase { text += " ignoring case" }
        let field = Model.field(field)
        var ordering = isDescending ? field.descending : field.ascending
        if flipsNil { ordering = nilsFirst ? ordering.nilsFirst : ordering.nilsLast }
        if ignoringCase { ordering = ordering.caseInsensitive }
        let get = get
        return PairedOrdering(text: text, ordering: ordering) { left, right in
            let (left, right) = (get(left), get(right))
            if left.isAbsent && right.isAbsent { return 0 }
            if left.isAbsent || right.isAbsent { return left.isAbsent == nilsFirst ? -1 : 1 }
            let order = compare(left, right)
            return isDescending ? -order : order
        }
    }
}

extension FieldAccess where Value: StorableValue & TextValue {
    /// A sort that may ignore case.
    func textOrdering(
        _ draws: Draws, _ text: @escaping @Sendable (Value) -> String
    ) -> PairedOrdering<Model> {
        guard draws.chance(30) else { return ordering(draws) }
        return ordering(draws, ignoringCase: true) { left, right in
            OracleText.order(
                OracleText.bytes(text(left), ignoringCase: true),
                OracleText.bytes(text(right), ignoringCase: true))
        }
    }
}

extension Stored {
    /// Returns a field as a value.
    static func field<Value>(_ get: (Fields<Self>) -> Field<Self, Value>) -> Field<Self, Value> {
        var found: Field<Self, Value>?
        _ = condition { fields in
            found = get(fields)
            return .constant(true)
        }
        // The closure of a condition is called once, at once.
        return found.unsafelyUnwrapped
    }
}
