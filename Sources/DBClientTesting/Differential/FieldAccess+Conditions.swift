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
                    "\(name) == \(value.shown)",
                    { Value.order(get($0), value) == 0 },
                    build: { field($0) == value }
                )
            },
            { draws in
                let value = make(draws)
                return PairedCondition(
                    "\(name) != \(value.shown)",
                    { Value.order(get($0), value) != 0 },
                    build: { field($0) != value }
                )
            },
            { draws in
                let values = draws.list(upTo: 4, make)
                return PairedCondition(
                    "\(name) in [\(values.map(\.shown).joined(separator: ", "))]",
                    { model in values.contains { Value.order(get(model), $0) == 0 } },
                    build: { field($0).isIn(values) }
                )
            },
        ]
    }

    /// Ascending or descending, with nil at either end.
    func ordering(_ draws: Draws) -> PairedOrdering<Model> {
        ordering(draws, .exact, Value.order)
    }

    fileprivate func ordering(
        _ draws: Draws,
        _ text: TextOrder,
        _ compare: @escaping @Sendable (Value, Value) -> Int
    ) -> PairedOrdering<Model> {
        let isDescending = draws.chance(40)
        let flipsNil = draws.chance(20)
        let nilsFirst = isDescending == flipsNil
        var words = "\(name) \(isDescending ? "descending" : "ascending")"
        if flipsNil { words += nilsFirst ? " nilsFirst" : " nilsLast" }
        if text != .exact { words += " \(text)" }
        let orderings = Model.building { fields in
            var ordering = isDescending ? field(fields).descending : field(fields).ascending
            if flipsNil { ordering = nilsFirst ? ordering.nilsFirst : ordering.nilsLast }
            switch text {
            case .exact: return ordering
            case .caseInsensitive: return ordering.caseInsensitive
            case .natural: return ordering.natural
            }
        }
        let get = get
        return PairedOrdering(
            text: words,
            orderings: orderings,
            exactField: text == .exact ? name : nil
        ) { left, right in
            let (left, right) = (get(left), get(right))
            if left.isAbsent && right.isAbsent { return 0 }
            if left.isAbsent || right.isAbsent { return left.isAbsent == nilsFirst ? -1 : 1 }
            let order = compare(left, right)
            return isDescending ? -order : order
        }
    }
}

extension FieldAccess where Value: StorableValue & TextValue {
    /// A sort that may ignore case, or be as people sort.
    func textOrdering(
        _ draws: Draws,
        _ text: @escaping @Sendable (Value) -> String
    ) -> PairedOrdering<Model> {
        if draws.chance(15) {
            return ordering(draws, .natural) { OracleText.naturalOrder(text($0), text($1)) }
        }
        guard draws.chance(35) else { return ordering(draws) }
        return ordering(draws, .caseInsensitive) { left, right in
            OracleText.order(
                OracleText.bytes(text(left), ignoringCase: true),
                OracleText.bytes(text(right), ignoringCase: true)
            )
        }
    }
}

/// The orders that text is sorted in.
private enum TextOrder {
    case exact
    case caseInsensitive
    case natural
}

extension Stored {
    /// Returns what a function makes of the model's fields, in a list of one.
    static func building<Value>(_ make: (Fields<Self>) -> Value) -> [Value] {
        var made: [Value] = []
        _ = condition { fields in
            made.append(make(fields))
            return .constant(true)
        }
        return made
    }
}
