import DBClientCore

extension FieldAccess where Value: StorableValue {
    typealias Maker = @Sendable (RandomSource) -> PairedCondition<Model>

    /// Equal, different, and one of a list.
    var equalities: [Maker] {
        let (name, field, get, make) = (name, field, get, make)
        return [
            { random in
                let value = make(random)
                return PairedCondition(
                    "\(name) == \(value.shown)",
                    { Value.order(get($0), value) == 0 },
                    build: { field($0) == value }
                )
            },
            { random in
                let value = make(random)
                return PairedCondition(
                    "\(name) != \(value.shown)",
                    { Value.order(get($0), value) != 0 },
                    build: { field($0) != value }
                )
            },
            { random in
                let values = random.list(upTo: 4, make)
                return PairedCondition(
                    "\(name) in [\(values.map(\.shown).joined(separator: ", "))]",
                    { model in values.contains { Value.order(get(model), $0) == 0 } },
                    build: { field($0).isIn(values) }
                )
            },
        ]
    }

    /// Ascending or descending, with nil at either end.
    func ordering(_ random: RandomSource) -> PairedOrdering<Model> {
        ordering(random, .exact, Value.order)
    }

    fileprivate func ordering(
        _ random: RandomSource,
        _ text: TextOrder,
        _ compare: @escaping @Sendable (Value, Value) -> Int
    ) -> PairedOrdering<Model> {
        let isDescending = random.chance(40)
        let flipsNil = random.chance(20)
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
        _ random: RandomSource,
        _ text: @escaping @Sendable (Value) -> String
    ) -> PairedOrdering<Model> {
        if random.chance(15) {
            return ordering(random, .natural) { OracleText.naturalOrder(text($0), text($1)) }
        }
        guard random.chance(35) else { return ordering(random) }
        return ordering(random, .caseInsensitive) { left, right in
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
