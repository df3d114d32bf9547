import DBClientCore
import Foundation

/// Numbers that are computed from the fields of a row: what they mean, and where there is none.
enum ExpressionCases {
    static let all: [ConformanceCase] = integers + reals + conversions

    // MARK: Numbers

    private static let integers: [ConformanceCase] = [
        arithmetic(
            "int8",
            { ($0.int8, $0.optionalInt8) = ($1, $2) },
            { ($0.int8, $0.optionalInt8) }
        ),
        arithmetic(
            "int16",
            { ($0.int16, $0.optionalInt16) = ($1, $2) },
            { ($0.int16, $0.optionalInt16) }
        ),
        arithmetic(
            "int32",
            { ($0.int32, $0.optionalInt32) = ($1, $2) },
            { ($0.int32, $0.optionalInt32) }
        ),
        arithmetic(
            "int64",
            { ($0.int64, $0.optionalInt64) = ($1, $2) },
            { ($0.int64, $0.optionalInt64) }
        ),
        arithmetic(
            "uint8",
            { ($0.uint8, $0.optionalUint8) = ($1, $2) },
            { ($0.uint8, $0.optionalUint8) }
        ),
        arithmetic(
            "uint16",
            { ($0.uint16, $0.optionalUint16) = ($1, $2) },
            { ($0.uint16, $0.optionalUint16) }
        ),
        arithmetic(
            "uint32",
            { ($0.uint32, $0.optionalUint32) = ($1, $2) },
            { ($0.uint32, $0.optionalUint32) }
        ),
        arithmetic(
            "uint64",
            { ($0.uint64, $0.optionalUint64) = ($1, $2) },
            { ($0.uint64, $0.optionalUint64) }
        ),
        promise(.expressions, "integers: the other sign and none") { client in
            let values: [Int64] = [.min, .min + 1, -1, 0, 1, .max]
            try await client.insert(
                values.enumerated().map { index, value in
                    var model = EveryType(index)
                    model.int64 = value
                    return model
                }
            )
            for (index, value) in values.enumerated() {
                let negated = Int64.zero.subtractingReportingOverflow(value)
                let expected = negated.overflow ? nil : negated.partialValue
                try await expectValue(expected, of: index, client) { -$0.int64 }
                try await expectValue(value < 0 ? expected : value, of: index, client) {
                    $0.int64.magnitude
                }
            }
        },
        promise(.expressions, "constants and chains of operators") { client in
            var model = EveryType(0)
            model.int64 = 7
            model.optionalInt64 = nil
            try await client.insert(model)
            try await expectValue(8, of: 0, client) { 1 + $0.int64 }
            try await expectValue(-6, of: 0, client) { 1 - $0.int64 }
            try await expectValue(3, of: 0, client) { $0.int64 - 1 - 1 - 1 - 1 }
            try await expectValue(9, of: 0, client) { $0.int64 - (1 - $0.int64) - 4 }
            try await expectValue(49, of: 0, client) { $0.int64 * $0.int64 }
            try await expectValue(0, of: 0, client) { $0.int64 / 2 / 2 / 2 }
            try await expectValue(-3, of: 0, client) { (-$0.int64) / 2 }
            try await expectValue(-1, of: 0, client) { (-$0.int64) % 2 }
            // An overflow on the way is one, whatever comes after.
            try await expectValue(nil, of: 0, client) { $0.int64 + .max - .max }
            try await expectValue(7, of: 0, client) { $0.int64 - .max + .max }
            let absent = EveryType.where { $0.optionalInt64 * 2 + $0.int64 == nil }
            try expectEqual(try await client.count(absent), 1)
            let long = EveryType.where { fields in
                (0..<100).reduce(fields.int64 + 0) { $0 + $1 } == 4_957
            }
            try expectEqual(try await client.count(long), 1)
        },
        promise(.expressions, "a division by the constant zero is refused") { client in
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.where { $0.int64 / 0 == 1 })
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.where { $0.int64 % 0 == 1 })
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.where { $0.double / 0 > 1 })
            }
        },
    ]

    private static let reals: [ConformanceCase] = [
        promise(.expressions, "doubles: every operator at the ends of the range") { client in
            let values: [Double] = [
                0, 1, -2.5, 0.1, .leastNonzeroMagnitude, -.leastNormalMagnitude,
                .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity,
            ]
            let pairs = values.flatMap { left in values.map { (left, $0) } }
            try await client.insert(
                pairs.enumerated().map { index, pair in
                    var model = EveryType(index)
                    (model.double, model.optionalDouble) = pair
                    return model
                }
            )
            for (index, (left, right)) in pairs.enumerated() {
                let areFinite = left.isFinite && right.isFinite
                func expected(_ value: Double, _ mayBeZero: Bool = true) -> Double? {
                    areFinite && value.isFinite && (mayBeZero || value != 0) ? value : nil
                }
                try await expectValue(expected(left + right), of: index, client) {
                    $0.double + ($0.optionalDouble ?? 0)
                }
                try await expectValue(expected(left - right), of: index, client) {
                    $0.double - ($0.optionalDouble ?? 0)
                }
                let isZero = left == 0 || right == 0
                try await expectValue(expected(left * right, isZero), of: index, client) {
                    $0.double * ($0.optionalDouble ?? 0)
                }
                try await expectValue(expected(left / right, left == 0), of: index, client) {
                    $0.double / ($0.optionalDouble ?? 0)
                }
                try await expectValue(areFinite ? Swift.min(left, right) : nil, of: index, client) {
                    min($0.double, $0.optionalDouble ?? 0)
                }
            }
        },
        promise(.expressions, "a zero that is computed has no sign") { client in
            var model = EveryType(0)
            (model.double, model.float) = (0, 0)
            try await client.insert(model)
            try await expectValue(.infinity, of: 0, client) {
                ($0.double * -1 < 0).then(-1.0, else: .infinity)
            }
            try await expectValue(nil, of: 0, client) { 1 / ($0.double * -1) }
            try await expectValue(nil, of: 0, client) { 1 / -$0.float }
        },
        promise(.expressions, "floats round to single precision") { client in
            var model = EveryType(0)
            (model.float, model.optionalFloat) = (0.1, 16_777_216)
            try await client.insert(model)
            try await expectValue(0.1 as Float * 3, of: 0, client) { $0.float * 3 }
            try await expectValue(16_777_216, of: 0, client) { ($0.optionalFloat ?? 0) + 1 }
            try await expectValue(0.1 as Float / 3, of: 0, client) { $0.float / 3 }
            try await expectValue(nil as Float?, of: 0, client) { $0.float * 1e38 * 1e38 }
            try await expectValue(nil as Float?, of: 0, client) { $0.float * 1e-38 * 1e-38 }
        },
        promise(.expressions, "an infinity is compared and passed on, not computed with") {
            client in
            var model = EveryType(0)
            (model.double, model.optionalDouble) = (.infinity, nil)
            try await client.insert(model)
            try await expectValue(.infinity, of: 0, client) { $0.optionalDouble ?? $0.double }
            try await expectValue(nil, of: 0, client) { $0.double.magnitude }
            try await expectValue(nil, of: 0, client) { ($0.optionalDouble ?? $0.double) * 1 }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.where { $0.double + .infinity > 1 })
            }
            try await expectError(.invalidValue) {
                _ = try await client.fetch(EveryType.where { $0.double + .nan > 1 })
            }
        },
    ]

    private static let conversions: [ConformanceCase] = [
        promise(.expressions, "numbers become numbers of other types") { client in
            let values: [(Int64, Double)] = [
                (0, 0.5), (-1, -0.9), (9_007_199_254_740_993, 1.9), (.max, 9.3e18),
                (.min, -9_223_372_036_854_775_808), (255, 255.9), (256, -129), (128, .infinity),
                (-129, 9_223_372_036_854_774_784), (16_777_217, 1e-46), (1, 1e39),
            ]
            try await client.insert(
                values.enumerated().map { index, value in
                    var model = EveryType(index)
                    (model.int64, model.double) = value
                    return model
                }
            )
            for (index, (integer, real)) in values.enumerated() {
                try await expectValue(Double(integer), of: index, client) {
                    $0.int64.converted(to: Double.self)
                }
                try await expectValue(Float(integer), of: index, client) {
                    $0.int64.converted(to: Float.self)
                }
                try await expectValue(Int8(exactly: integer), of: index, client) {
                    $0.int64.converted(to: Int8.self)
                }
                try await expectValue(UInt64(exactly: integer), of: index, client) {
                    $0.int64.converted(to: UInt64.self)
                }
                let whole = real.rounded(.towardZero)
                try await expectValue(Int64(exactly: whole), of: index, client) {
                    $0.double.converted(to: Int64.self)
                }
                try await expectValue(UInt8(exactly: whole), of: index, client) {
                    $0.double.converted(to: UInt8.self)
                }
                let single = Float(real)
                let isKept = single.isFinite && (single != 0 || real == 0)
                try await expectValue(isKept ? single : nil, of: index, client) {
                    $0.double.converted(to: Float.self)
                }
            }
        }
    ]
}

// MARK: Checks

extension ExpressionCases {
    /// Checks the operators of an integer type at the ends of its range, with an optional operand.
    private static func arithmetic<Number: FixedWidthInteger & IntegerValue & AdditiveValue>(
        _ type: String,
        _ set: @escaping @Sendable (inout EveryType, Number, Number?) -> Void,
        _ fields:
            @escaping @Sendable (Fields<EveryType>) -> (
                Field<EveryType, Number>, Field<EveryType, Number?>
            )
    ) -> ConformanceCase where Number.Present == Number {
        promise(.expressions, "integers: every operator at the ends of the range of \(type)") {
            client in
            // What is unsigned is kept up to Int64.max.
            let greatest = Number(clamping: Int64.max)
            let values = Set([.min, 0, 1, 2, Number(clamping: -1), greatest / 2, greatest])
            let pairs = values.sorted().flatMap { left in values.sorted().map { (left, $0) } }
            try await client.insert(
                pairs.enumerated().map { index, pair in
                    var model = EveryType(index)
                    set(&model, pair.0, pair.1)
                    return model
                }
            )
            for (index, (left, right)) in pairs.enumerated() {
                func expect(
                    _ result: (partialValue: Number, overflow: Bool),
                    _ make:
                        (Field<EveryType, Number>, Field<EveryType, Number?>) ->
                        FieldExpression<EveryType, Number?>
                ) async throws {
                    let isKept = !result.overflow && result.partialValue <= greatest
                    try await expectValue(isKept ? result.partialValue : nil, of: index, client) {
                        let (field, optional) = fields($0)
                        return make(field, optional)
                    }
                }
                try await expect(left.addingReportingOverflow(right)) { $0 + $1 }
                try await expect(left.subtractingReportingOverflow(right)) { $0 - $1 }
                try await expect(left.multipliedReportingOverflow(by: right)) { $0 * $1 }
                try await expect(left.dividedReportingOverflow(by: right)) { $0 / $1 }
                let rest = left.remainderReportingOverflow(dividingBy: right)
                try await expect((rest.partialValue, right == 0)) { $0 % $1 }
            }
        }
    }

    /// Checks that an expression has a value for a row, or none.
    static func expectValue<Value: ExpressionValue>(
        _ expected: Value?,
        of id: Int,
        _ client: any DBClient,
        file: String = #fileID,
        line: Int = #line,
        _ make: (Fields<EveryType>) -> some ExpressionTerm<EveryType, Value>
    ) async throws {
        guard let expected else {
            try await expectError(.invalidValue, file: file, line: line) {
                let some = EveryType.where { $0.id == id && make($0).fieldExpression != make($0) }
                _ = try await client.count(some)
            }
            return
        }
        let some = EveryType.where { $0.id == id && make($0).fieldExpression == expected }
        try expectEqual(
            try await client.fetch(some).map(\.id),
            [id],
            "\(expected) of row \(id):",
            file: file,
            line: line
        )
        let others = EveryType.where { $0.id == id && make($0).fieldExpression != expected }
        try expectEqual(try await client.count(others), 0, file: file, line: line)
    }

    /// Checks that an expression that may be absent has a value for a row, or none.
    static func expectValue<Value: ExpressionValue>(
        _ expected: Value?,
        of id: Int,
        _ client: any DBClient,
        file: String = #fileID,
        line: Int = #line,
        _ make: (Fields<EveryType>) -> FieldExpression<EveryType, Value?>
    ) async throws where Value.Present == Value {
        guard let expected else {
            try await expectError(.invalidValue, file: file, line: line) {
                _ = try await client.count(EveryType.where { $0.id == id && make($0) == nil })
            }
            return
        }
        let some = EveryType.where { $0.id == id && make($0) == expected }
        try expectEqual(try await client.fetch(some).map(\.id), [id], file: file, line: line)
    }
}
