import DBClientCore

extension PairedFunction {
    static func distinct<Value: StorableValue & OracleValue>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "distinct \(name)",
            run: { try $0.distinct(path, of: $1).map(\.shown).joined(separator: ", ") },
            compute: { models in
                var values: [Value] = []
                for value in models.map({ $0[keyPath: path] }).sorted(by: {
                    Value.order($0, $1) < 0
                })
                where values.last.map({ Value.order($0, value) != 0 }) ?? true {
                    values.append(value)
                }
                return values.map(\.shown).joined(separator: ", ")
            }
        )
    }

    static func minimum<Value: StorableValue & Comparable & OracleValue>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "min \(name)",
            run: { try $0.min(path, of: $1).shown },
            compute: { $0.map { $0[keyPath: path] }.min { Value.order($0, $1) < 0 }.shown }
        )
    }

    static func maximum<Value: StorableValue & Comparable & OracleValue>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "max \(name)",
            run: { try $0.max(path, of: $1).shown },
            compute: { $0.map { $0[keyPath: path] }.max { Value.order($0, $1) < 0 }.shown }
        )
    }

    static func minimum<Value: StorableValue & Comparable & OracleValue>(
        _ name: String,
        optional path: any KeyPath<Model, Value?> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "min \(name)",
            run: { try $0.min(path, of: $1).shown },
            compute: { $0.compactMap { $0[keyPath: path] }.min { Value.order($0, $1) < 0 }.shown }
        )
    }

    static func maximum<Value: StorableValue & Comparable & OracleValue>(
        _ name: String,
        optional path: any KeyPath<Model, Value?> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "max \(name)",
            run: { try $0.max(path, of: $1).shown },
            compute: { $0.compactMap { $0[keyPath: path] }.max { Value.order($0, $1) < 0 }.shown }
        )
    }

    /// The sum of integers, which has to fit their own type.
    static func sum<Value: StorableValue & FixedWidthInteger & OracleValue>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "sum \(name)",
            run: { try $0.sum(path, of: $1).shown },
            compute: { try exactSum($0.map { $0[keyPath: path] }).shown }
        )
    }

    /// The sum of optional integers, which has to fit their own type.
    static func sum<Value: StorableValue & FixedWidthInteger & OracleValue>(
        _ name: String,
        optional path: any KeyPath<Model, Value?> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "sum \(name)",
            run: { try $0.sum(path, of: $1).shown },
            compute: { try exactSum($0.compactMap { $0[keyPath: path] }).shown }
        )
    }

    /// The sum of doubles, which have to be such that it is exact.
    static func sum(
        _ name: String,
        exact path: any KeyPath<Model, Double> & Sendable
    ) -> PairedFunction {
        PairedFunction(
            text: "sum \(name)",
            run: { try $0.sum(path, of: $1).shown },
            compute: { $0.reduce(0) { $0 + $1[keyPath: path] }.shown }
        )
    }

    /// The average of values whose sum is exact.
    static func average<Value: Sendable>(
        _ name: String,
        _ path: any KeyPath<Model, Value> & Sendable,
        _ double: @escaping @Sendable (Value) -> Double?
    ) -> PairedFunction {
        PairedFunction(
            text: "average \(name)",
            run: { try $0.average(path, of: $1).shown },
            compute: { models in
                let values = models.compactMap { double($0[keyPath: path]) }
                if values.isEmpty { return "nil" }
                return (values.reduce(0, +) / Double(values.count)).shown
            }
        )
    }

    private static func exactSum<Value: FixedWidthInteger>(_ values: [Value]) throws -> Value {
        let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
        guard let value = Value(exactly: sum), Int64(exactly: sum) != nil else {
            throw OracleError(.invalidValue)
        }
        return value
    }
}
