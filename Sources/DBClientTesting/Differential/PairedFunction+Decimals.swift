import DBClientCore
import Foundation

extension PairedFunction {
    /// The sum and the average of decimals.
    static func totals(
        _ name: String,
        _ path: any KeyPath<Model, Decimal> & Sendable
    ) -> [PairedFunction] {
        [
            PairedFunction(
                text: "sum \(name)",
                run: { try $0.sum(path, of: $1).shown },
                compute: { try GeneratedDecimalSum($0.map { $0[keyPath: path] }).decimal.shown }
            ),
            PairedFunction(
                text: "average \(name)",
                run: { try $0.average(path, of: $1).shown },
                compute: { models in
                    if models.isEmpty { return "nil" }
                    let sum = GeneratedDecimalSum(models.map { $0[keyPath: path] })
                    return ((Double(sum.text) ?? .nan) / Double(models.count)).shown
                }
            ),
        ]
    }
}

/// The exact sum of decimals as ``SampleValues`` draws them: of at most thirty digits before the point and
/// as many after it, written without an exponent.
private struct GeneratedDecimalSum {
    private static let places = 30
    private var wholes: Int128 = 0
    private var fractions: Int128 = 0

    init(_ decimals: [Decimal]) {
        for decimal in decimals {
            let parts = decimal.magnitude.description.split(separator: ".")
            let fraction = parts.count > 1 ? String(parts[1]) : ""
            let padding = String(repeating: "0", count: Self.places - fraction.count)
            let sign: Int128 = decimal < 0 ? -1 : 1
            wholes += sign * (Int128(parts[0]) ?? 0)
            fractions += sign * (Int128(fraction + padding) ?? 0)
        }
        // Both of one sign, and the fractions less than one.
        let one = (0..<Self.places).reduce(Int128(1)) { one, _ in one * 10 }
        wholes += fractions / one
        fractions %= one
        if wholes > 0, fractions < 0 { (wholes, fractions) = (wholes - 1, fractions + one) }
        if wholes < 0, fractions > 0 { (wholes, fractions) = (wholes + 1, fractions - one) }
    }

    /// The number as text, with a sign, a point and all decimal places.
    var text: String {
        let digits = "\(fractions.magnitude)"
        let padding = String(repeating: "0", count: Self.places - digits.count)
        return "\(wholes < 0 || fractions < 0 ? "-" : "")\(wholes.magnitude).\(padding)\(digits)"
    }

    /// The sum, unless it has more digits than a decimal.
    var decimal: Decimal {
        get throws {
            let digits = text.filter(\.isNumber).drop { $0 == "0" }
            let significant = digits.reversed().drop { $0 == "0" }.count
            guard significant <= 38, let decimal = Decimal(string: text) else {
                throw OracleError(.invalidValue)
            }
            return decimal
        }
    }
}
