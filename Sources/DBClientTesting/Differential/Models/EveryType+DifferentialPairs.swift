import DBClientCore

extension EveryType {
    /// Comparisons of a field with an optional one.
    static let pairs: [@Sendable (RandomSource) -> PairedCondition<EveryType>] = [
        pair("double", \.double, \.optionalDouble) { ($0.double, $0.optionalDouble) },
        pair("decimal", \.decimal, \.optionalDecimal) { ($0.decimal, $0.optionalDecimal) },
        pair("date", \.date, \.optionalDate) { ($0.date, $0.optionalDate) },
        pair("text", \.text, \.optionalText) { ($0.text, $0.optionalText) },
    ]

    private static func pair<Value: OracleValue & Comparable>(
        _ name: String,
        _ path: any KeyPath<EveryType, Value> & Sendable,
        _ optional: any KeyPath<EveryType, Value?> & Sendable,
        _ fields:
            @escaping @Sendable (Fields<EveryType>) -> (
                Field<EveryType, Value>, Field<EveryType, Value?>
            )
    ) -> @Sendable (RandomSource) -> PairedCondition<EveryType> {
        @Sendable func paired(
            _ sign: String,
            _ holds: @escaping @Sendable (Int?) -> Bool,
            _ build: (Field<EveryType, Value>, Field<EveryType, Value?>) -> Condition<EveryType>
        ) -> PairedCondition<EveryType> {
            PairedCondition(
                "\(name) \(sign) optional one",
                { value in
                    holds(value[keyPath: optional].map { Value.order(value[keyPath: path], $0) })
                },
                build: {
                    let (field, other) = fields($0)
                    return build(field, other)
                }
            )
        }
        return { random in
            switch random.below(4) {
            case 0: paired("<", { $0.map { $0 < 0 } ?? false }, { $0 < $1 })
            case 1: paired(">=", { $0.map { $0 >= 0 } ?? false }, { $0 >= $1 })
            case 2: paired("==", { $0 == 0 }, { $0 == $1 })
            default: paired("!=", { $0 != 0 }, { $0 != $1 })
            }
        }
    }
}
