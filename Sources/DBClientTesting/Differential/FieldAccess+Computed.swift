import DBClientCore

// Conditions on what is computed from a field. Each has an answer for every value: a choice keeps the others away from
// where the arithmetic has none.
extension FieldAccess
where
    Value: FixedWidthInteger & IntegerValue & AdditiveValue & Comparable,
    Value.Present == Value
{
    /// Makers of conditions on sums, products, quotients and remainders.
    var computations: [Maker] {
        let (name, field, get) = (name, field, get)
        let sum: Maker = { random in
            let (factor, term) = (Value(random.below(5)), Value(random.below(5)))
            let limit = Value(random.below(45))
            return PairedCondition(
                "(\(name) in 0..<10 ? \(name) * \(factor) + \(term) : 7) < \(limit)",
                { model in
                    let value = get(model)
                    return ((0..<10).contains(value) ? value * factor + term : 7) < limit
                },
                build: { fields in
                    let value = field(fields)
                    return (value >= 0 && value < 10).then(value * factor + term, else: 7) < limit
                }
            )
        }
        let remainder: Maker = { random in
            let (number, limit) = (Value(random.below(100)), Value(random.below(12)))
            let isQuotient = random.chance(50)
            return PairedCondition(
                "\(name) > 0 && \(number) \(isQuotient ? "/" : "%") \(name) >= \(limit)",
                { model in
                    let value = get(model)
                    return value > 0 && (isQuotient ? number / value : number % value) >= limit
                },
                build: { fields in
                    let value = field(fields)
                    let rest = isQuotient ? number / value : number % value
                    return random.chance(50)
                        ? rest >= limit && value > 0 : value > 0 && rest >= limit
                }
            )
        }
        let half: Maker = { random in
            let limit = Double(random.below(20)) - 4
            return PairedCondition(
                "Double(\(name)) / 2 > \(limit)",
                { Double(get($0)) / 2 > limit },
                build: { field($0).fieldExpression.converted(to: Double.self) / 2 > limit }
            )
        }
        return [sum, remainder, half]
    }
}

extension FieldAccess where Value == Double {
    /// Makers of conditions on sums and products of what is finite.
    var computations: [Maker] {
        let (name, field, get) = (name, field, get)
        return [
            { random in
                let (factor, term) = (Double(random.below(9)) / 4, Double(random.below(9)) - 4)
                let limit = Double(random.below(40)) - 10
                return PairedCondition(
                    "(abs(\(name)) < 1e100 ? \(name) * \(factor) - \(term) : 1) <= \(limit)",
                    { model in
                        let value = get(model)
                        let isSmall = value < 1e100 && value > -1e100
                        // What is too small for a product is no number of the library's.
                        let isKept = value == 0 || value > 1e-100 || value < -1e-100
                        return (isSmall && isKept ? value * factor - term : 1) <= limit
                    },
                    build: { fields in
                        let value = field(fields)
                        let isSmall = value < 1e100 && value > -1e100
                        let isKept = value == 0 || value > 1e-100 || value < -1e-100
                        return (isSmall && isKept).then(value * factor - term, else: 1) <= limit
                    }
                )
            }
        ]
    }
}

extension FieldAccess where Value == String {
    /// Makers of conditions on text that is joined, counted and folded.
    var computations: [Maker] {
        let (name, field, get, makeAny) = (name, field, get, make)
        // An expression takes no text that no engine keeps.
        let make = { @Sendable (random: RandomSource) in
            makeAny(random).replacing("\0", with: "")
        }
        return [
            { random in
                let limit = random.below(6)
                return PairedCondition(
                    "count of \(name) > \(limit)",
                    { get($0).unicodeScalars.count > limit },
                    build: { field($0).count > limit }
                )
            },
            { random in
                let text = make(random)
                return PairedCondition(
                    "lowercased \(name) >= \(text.shown)",
                    { model in
                        let lowered = OracleText.bytes(get(model), ignoringCase: true)
                        return OracleText.order(lowered, Array(text.utf8)) >= 0
                    },
                    build: { field($0).lowercased() >= text }
                )
            },
            { random in
                let (prefix, text) = (make(random), make(random))
                return PairedCondition(
                    "\(prefix.shown) + \(name) != \(name) + \(text.shown)",
                    { model in
                        let bytes = Array(get(model).utf8)
                        return Array(prefix.utf8) + bytes != bytes + Array(text.utf8)
                    },
                    build: { prefix + field($0) != field($0) + text }
                )
            },
        ]
    }

    /// A sort by the number of scalars, or by the text with A to Z lowered.
    func computedOrdering(_ random: RandomSource) -> PairedOrdering<Model> {
        let (field, get) = (field, get)
        let isDescending = random.chance(40)
        let isCount = random.chance(50)
        let orderings = Model.building { fields -> Ordering<Model> in
            let (count, text) = (field(fields).count, field(fields).lowercased())
            if isCount { return isDescending ? count.descending : count.ascending }
            return isDescending ? text.descending : text.ascending
        }
        return PairedOrdering(
            text:
                "\(isCount ? "count of" : "lowercased") \(name)\(isDescending ? " descending" : "")",
            orderings: orderings,
            exactField: nil
        ) { left, right in
            let (left, right) = (get(left), get(right))
            let order =
                isCount
                ? left.unicodeScalars.count - right.unicodeScalars.count
                : OracleText.order(
                    OracleText.bytes(left, ignoringCase: true),
                    OracleText.bytes(right, ignoringCase: true)
                )
            return isDescending ? -order : order
        }
    }
}
