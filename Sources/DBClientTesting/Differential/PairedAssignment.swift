import DBClientCore

/// An assignment for the library, and the same as a change of a Swift value.
struct PairedAssignment<Model: Stored>: Sendable {
    let text: String
    let assign: @Sendable (inout Assignments<Model>) -> Void
    /// Changes a value, given what it was before the call.
    let change: @Sendable (inout Model, _ stored: Model) -> Void
}

extension PairedAssignment {
    /// Sets an integer to what is computed from itself, which has a result for every one.
    static func compute<Value: FixedWidthInteger & IntegerValue & AdditiveValue>(
        _ name: String,
        _ path: any WritableKeyPath<Model, Value> & Sendable,
        _ random: RandomSource
    ) -> Self where Value: OracleValue, Value.Present == Value {
        let (factor, term) = (Value(random.below(5)), Value(random.below(5)))
        return Self(
            text: "\(name) = (\(name) in 0..<10 ? \(name) * \(factor) + \(term) : 7)",
            assign: {
                $0.set(path) { fields in
                    let value = fields[dynamicMember: path]
                    return (value >= 0 && value < 10).then(value * factor + term, else: 7)
                }
            },
            change: { model, stored in
                let value = stored[keyPath: path]
                model[keyPath: path] = (0..<10).contains(value) ? value * factor + term : 7
            }
        )
    }

    /// Lowers the letters from A to Z of a text.
    static func lowercase(
        _ name: String,
        _ path: any WritableKeyPath<Model, String> & Sendable
    ) -> Self {
        Self(
            text: "\(name) = \(name) lowercased",
            assign: { $0.set(path) { $0[dynamicMember: path].lowercased() } },
            change: { model, stored in
                let bytes = OracleText.bytes(stored[keyPath: path], ignoringCase: true)
                model[keyPath: path] = String(decoding: bytes, as: UTF8.self)
            }
        )
    }
}
