import DBClientCore
import DBClientTestSupport
import Foundation

/// Decimals that are computed with: exact, or an error.
enum DecimalExpressionCases {
    static let all: [ConformanceCase] = [
        arithmetic, limits, quotients, longQuotients, conversions, uses, random,
    ]

    private static let arithmetic = promise(
        .expressions,
        "decimals: sums, differences and products are exact"
    ) { client in
        try await insert(
            [
                ("0.1", "0.2"), ("-1.5", "1.5"), ("0", "-7"), ("123456789.123", "-0.000001"),
                ("1e30", "1e-7"), ("25e20", "4e-5"), ("3", nil),
                ("12345678901234567890123456789012345678", "1"),
            ],
            client
        )
        let rows = try await client.fetch(
            EveryType.all.select {
                (
                    $0.decimal + $0.optionalDecimal, $0.decimal - $0.optionalDecimal,
                    $0.decimal * $0.optionalDecimal, -$0.decimal, $0.optionalDecimal.magnitude
                )
            }
        )
        try expectEqual(
            rows.map(\.0),
            decimals(
                "0.3",
                "0",
                "-7",
                "123456789.122999",
                "1000000000000000000000000000000.0000001",
                "2500000000000000000000.00004",
                nil,
                "12345678901234567890123456789012345679"
            )
        )
        try expectEqual(
            rows.map(\.1),
            decimals(
                "-0.1",
                "-3",
                "7",
                "123456789.123001",
                "999999999999999999999999999999.9999999",
                "2499999999999999999999.99996",
                nil,
                "12345678901234567890123456789012345677"
            )
        )
        try expectEqual(
            rows.map(\.2),
            decimals(
                "0.02",
                "-2.25",
                "0",
                "-123.456789123",
                "1e23",
                "1e17",
                nil,
                "12345678901234567890123456789012345678"
            )
        )
        try expectEqual(
            rows.map(\.3),
            decimals(
                "-0.1",
                "1.5",
                "0",
                "-123456789.123",
                "-1e30",
                "-25e20",
                "-3",
                "-12345678901234567890123456789012345678"
            )
        )
        try expectEqual(
            rows.map(\.4),
            decimals("0.2", "1.5", "7", "0.000001", "1e-7", "4e-5", nil, "1")
        )
    }

    private static let limits = promise(
        .expressions,
        "decimals: what has more than 38 digits, or is too far from the point, is an error"
    ) { client in
        let nines = String(repeating: "9", count: 38)
        try await insert(
            [
                (nines, "1"), (nines, "2"), ("1e30", "1e-8"), (nines, "10"), (nines, "0.1"),
                ("99999999999999999999", "99999999999999999999"), ("1e100", "1e64"),
                ("1e100", "1e65"),
                ("1e-100", "1e-28"), ("1e-100", "1e-29"), ("5e37", "5e37"), ("34e36", "1e-1"),
            ],
            client
        )
        let sums: [String?] = [
            "1e38", nil, nil, nil, nil, "199999999999999999998",
            "1000000000000000000000000000000000001e64", "100000000000000000000000000000000001e65",
            nil, nil, "1e38", nil,
        ]
        // One and 164 zeros, of which a `Decimal` takes 127 into its power of ten.
        let most = "1" + String(repeating: "0", count: 37) + "e127"
        let products: [String?] = [
            nines, nil, "1e22", nines + "e1", "\(nines.prefix(37)).9", nil, most, nil, "1e-128",
            nil, "25e74", "34e35",
        ]
        for index in sums.indices {
            try await ExpressionCases.expectValue(decimal(sums[index]), of: index, client) {
                $0.decimal + ($0.optionalDecimal ?? 0)
            }
            try await ExpressionCases.expectValue(decimal(products[index]), of: index, client) {
                $0.decimal * ($0.optionalDecimal ?? 0)
            }
        }
        try await expectError(.invalidValue) {
            _ = try await client.fetch(EveryType.all.sorted { $0.decimal * 1000 * $0.decimal })
        }
        let guarded = EveryType.where { $0.id == 8 && $0.decimal * $0.decimal == 0 }
        try await expectError(.invalidValue) { _ = try await client.fetch(guarded) }
    }

    private static let quotients = promise(
        .expressions,
        "decimals: quotients and rounding to digits behind the point"
    ) { client in
        try await insert(
            [
                ("1", "3"), ("2", "3"), ("-2", "3"), ("1.005", "1"), ("-0.5", "-0.2"), ("0", "4"),
                ("123456789", "0.001"), ("2.5", nil), ("1", "0"), ("0.125", "-1"), ("-1e30", "7"),
            ],
            client
        )
        let all = EveryType.where { $0.id != 8 }
        let rows = try await client.fetch(
            all.select {
                (
                    $0.decimal.divided(by: $0.optionalDecimal ?? 1, scale: 4),
                    $0.decimal.rounded(scale: 2), $0.decimal.rounded(scale: -1),
                    $0.optionalDecimal.divided(by: 3, scale: 0),
                    $0.optionalDecimal.rounded(scale: 0)
                )
            }
        )
        try expectEqual(
            rows.map(\.0),
            decimals(
                "0.3333",
                "0.6667",
                "-0.6667",
                "1.005",
                "2.5",
                "0",
                "123456789000",
                "2.5",
                "-0.125",
                "-142857142857142857142857142857.1429"
            )
            .compactMap(\.self)
        )
        try expectEqual(
            rows.map(\.1),
            decimals(
                "1",
                "2",
                "-2",
                "1.01",
                "-0.5",
                "0",
                "123456789",
                "2.5",
                "0.13",
                "-1e30"
            )
            .compactMap(\.self)
        )
        try expectEqual(
            rows.map(\.2),
            decimals("0", "0", "0", "0", "0", "0", "123456790", "0", "0", "-1e30")
                .compactMap(\.self)
        )
        try expectEqual(
            rows.map(\.3),
            decimals("1", "1", "1", "0", "0", "1", "0", nil, "0", "2")
        )
        try expectEqual(rows.map(\.4), decimals("3", "3", "3", "1", "0", "4", "0", nil, "-1", "7"))
        try await expectError(.invalidValue) {
            _ = try await client.fetch(
                EveryType.where { $0.decimal.divided(by: $0.optionalDecimal ?? 1, scale: 2) > 0 }
            )
        }
        // Thirty digits before the point and nine behind it.
        try await expectError(.invalidValue) {
            _ = try await client.fetch(
                EveryType.where { $0.id == 10 && $0.decimal.divided(by: 7, scale: 9) < 0 }
            )
        }
        try await expectError(.invalidRequest) {
            _ = try await client.fetch(all.select { $0.decimal.rounded(scale: 129) })
        }
    }

    private static let longQuotients = promise(
        .expressions,
        "decimals: quotients that have 38 digits once zeros or nines are rounded"
    ) { client in
        let nines = String(repeating: "9", count: 37)
        try await insert([("4", nines), ("\(nines.dropLast())3", nines)], client)
        let zeros = String(repeating: "0", count: 36)
        let cases: [(Int, Int, String?)] = [
            (0, 75, "4\(zeros)4e-74"), (0, 110, "4\(zeros)4e-74"), (0, 111, nil),
            (1, 60, "\(nines.dropLast())4e-37"), (1, 38, "\(nines.dropLast())4e-37"),
        ]
        for (index, scale, expected) in cases {
            try await ExpressionCases.expectValue(decimal(expected), of: index, client) {
                $0.decimal.divided(by: $0.optionalDecimal ?? 1, scale: scale)
            }
        }
    }

    private static let conversions = promise(
        .expressions,
        "decimals from integers, and as integers and reals"
    ) { client in
        var models = (0..<4).map { EveryType($0) }
        let texts = ["2.9", "-2.9", "9223372036854775807.5", "0.1"]
        for (index, text) in texts.enumerated() {
            models[index].decimal = decimal(text) ?? 0
            models[index].int64 = [7, -7, .max, .min][index]
            models[index].optionalInt64 = index == 0 ? nil : 5
        }
        try await client.insert(models)
        let rows = try await client.fetch(
            EveryType.all.select {
                (
                    $0.decimal.converted(to: Int64.self), $0.decimal.converted(to: Double.self),
                    $0.decimal.converted(to: Float.self), $0.int64.converted(to: Decimal.self),
                    $0.optionalInt64.converted(to: Decimal.self)
                )
            }
        )
        try expectEqual(rows.map(\.0), [2, -2, .max, 0])
        try expectEqual(rows.map(\.1), [2.9, -2.9, 9_223_372_036_854_775_807.5, 0.1])
        try expectEqual(rows.map(\.2), [2.9, -2.9, 9_223_372_036_854_775_807.5, 0.1])
        try expectEqual(
            rows.map(\.3),
            decimals("7", "-7", "9223372036854775807", "-9223372036854775808").compactMap(\.self)
        )
        try expectEqual(rows.map(\.4), decimals(nil, "5", "5", "5"))
        try await expectError(.invalidValue) {
            _ = try await client.fetch(EveryType.where { $0.decimal.converted(to: Int8.self) == 2 })
        }
        try await expectError(.invalidValue) {
            _ = try await client.fetch(
                EveryType.where { ($0.decimal + 1).converted(to: Int64.self) == 2 }
            )
        }
    }

    private static let uses = promise(
        .expressions,
        "decimals that are computed in sorts, groups, functions and updates"
    ) { client in
        try await insert(
            [("1.10", "3"), ("2.20", "2"), ("3.30", nil), ("-4.40", "1"), ("2.2", "5")],
            client
        )
        let sorted = EveryType.all.sorted { [$0.decimal * $0.decimal, $0.id.descending] }
        try expectEqual(try await client.fetch(sorted).map(\.id), [0, 4, 1, 2, 3])
        let sum: Decimal = try await client.sum(of: EveryType.all) {
            $0.decimal * ($0.optionalDecimal ?? 0)
        }
        try expectEqual(sum, decimal("14.3"))
        let average = try await client.average(of: EveryType.all) { $0.decimal * 2 }
        try expectEqual(average, 8.8 / 5)
        let groups = EveryType.all.grouped { ($0.decimal * 10).rounded(scale: -1) }
            .select(.count, .sum { $0.decimal * Decimal(2) })
        let rows = try await client.fetch(groups)
        try expectEqual(rows.map(\.key), decimals("-40", "10", "20", "30").compactMap(\.self))
        try expectEqual(rows.map(\.values.0), [1, 1, 2, 1])
        try expectEqual(
            rows.map(\.values.1),
            decimals("-8.8", "2.2", "8.8", "6.6").compactMap(\.self)
        )
        try await client.update(EveryType.where { $0.optionalDecimal * $0.decimal > 4 }) {
            $0.set(\.decimal) { $0.decimal * (decimal("1.19") ?? 0) }
            $0.set(\.optionalDecimal) { $0.decimal.divided(by: 7, scale: 3) }
        }
        let found = try await client.fetch(EveryType.all)
        try expectEqual(
            found.map(\.decimal),
            decimals("1.1", "2.618", "3.3", "-4.4", "2.618").compactMap(\.self)
        )
        try expectEqual(
            found.map(\.optionalDecimal),
            decimals("3", "0.314", nil, "1", "0.314")
        )
        try expectEqual(
            try await client.fetch(
                EveryType.where { $0.decimal - 1 == $0.decimal.rounded(scale: 1) - 1 }
            )
            .map(\.id),
            [0, 2, 3]
        )
    }

    /// Against integers of 128 bits, which share no code with decimals.
    private static let random = promise(
        .expressions,
        "decimals that are computed, as integers of 128 bits have them"
    ) { client in
        var random = SeededGenerator(seed: 38)
        let pairs = (0..<120).map { _ in
            let size = Int.random(in: 1...17, using: &random)
            let bound = (0..<size).reduce(1 as Int64) { product, _ in product * 10 }
            return (
                Int64.random(in: -bound...bound, using: &random),
                Int64.random(in: 1...1_000_000, using: &random)
                    * (Bool.random(using: &random) ? 1 : -1)
            )
        }
        // Thousandths and hundredths.
        try await client.insert(
            pairs.enumerated().map { index, pair in
                var model = EveryType(index)
                model.decimal = scaled(Int128(pair.0), 3)
                model.optionalDecimal = scaled(Int128(pair.1), 2)
                return model
            }
        )
        let rows = try await client.fetch(
            EveryType.all.select {
                (
                    $0.decimal + $0.optionalDecimal, $0.decimal - $0.optionalDecimal,
                    $0.decimal * $0.optionalDecimal, $0.decimal.rounded(scale: 1),
                    $0.decimal.divided(by: $0.optionalDecimal ?? 1, scale: 5)
                )
            }
        )
        for (row, pair) in zip(rows, pairs) {
            let (left, right) = (Int128(pair.0), Int128(pair.1))
            try expectEqual(row.0, scaled(left + right * 10, 3))
            try expectEqual(row.1, scaled(left - right * 10, 3))
            try expectEqual(row.2, scaled(left * right, 5))
            try expectEqual(row.3, scaled(rounded(left, 100), 1))
            // left / 1000 divided by right / 100, in hundred thousandths.
            try expectEqual(row.4, scaled(rounded(left * 10_000, right), 5))
        }
    }

    // MARK: Helpers

    /// Returns a quotient of integers, rounded from zero where two are as near.
    private static func rounded(_ number: Int128, _ divisor: Int128) -> Int128 {
        let twice = 2 * number.magnitude + divisor.magnitude
        let quotient = Int128(twice / (2 * divisor.magnitude))
        return (number < 0) != (divisor < 0) ? -quotient : quotient
    }

    private static func scaled(_ number: Int128, _ digits: Int) -> Decimal {
        decimal("\(number)e-\(digits)") ?? .nan
    }

    private static func insert(
        _ pairs: [(String, String?)],
        _ client: any DBClient
    ) async throws {
        try await client.insert(
            pairs.enumerated().map { index, pair in
                var model = EveryType(index)
                model.decimal = decimal(pair.0) ?? .nan
                model.optionalDecimal = decimal(pair.1)
                return model
            }
        )
    }

    private static func decimal(_ text: String?) -> Decimal? {
        text.flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
    }

    private static func decimals(_ texts: String?...) -> [Decimal?] { texts.map(decimal) }
}
