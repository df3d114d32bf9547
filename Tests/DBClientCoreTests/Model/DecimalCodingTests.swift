import DBClientCore
import Foundation
import Testing

@Suite("Decimals in an order-preserving form")
struct DecimalCodingTests {
    /// A decimal by its parts: ±digits × 10^exponent, no leading and no trailing zero.
    struct Parts {
        var isNegative: Bool
        var digits: [Int]
        var exponent: Int

        init(using generator: inout SeededGenerator) {
            isNegative = .random(using: &generator)
            let count = Int.random(in: 1...38, using: &generator)
            digits = (0..<count).map { _ in Int.random(in: 0...9, using: &generator) }
            digits[0] = Int.random(in: 1...9, using: &generator)
            digits[count - 1] = Int.random(in: 1...9, using: &generator)
            exponent = Int.random(in: -60...40, using: &generator)
            // Numbers close together too, where only late digits decide.
            if Bool.random(using: &generator) {
                exponent = -count
                digits[0] = 5
            }
        }

        var text: String {
            "\(isNegative ? "-" : "")\(digits.map(String.init).joined())e\(exponent)"
        }

        /// Compares sign, magnitude and digits, as on paper.
        func isLess(than other: Parts) -> Bool {
            if isNegative != other.isNegative { return isNegative }
            let magnitude = digits.count + exponent
            let otherMagnitude = other.digits.count + other.exponent
            if magnitude != otherMagnitude { return (magnitude < otherMagnitude) != isNegative }
            if digits == other.digits { return false }
            return digits.lexicographicallyPrecedes(other.digits) != isNegative
        }
    }

    @Test("The order of the bytes is the order of the numbers, and every number reads back")
    func random() throws {
        var generator = SeededGenerator(seed: 2)
        var previous = Parts(using: &generator)
        for _ in 0..<3_000 {
            let next = Parts(using: &generator)
            let left = try form(of: previous)
            let right = try form(of: next)
            #expect(
                left.lexicographicallyPrecedes(right) == previous.isLess(than: next),
                "\(previous.text) and \(next.text)"
            )
            previous = next
        }
    }

    private func form(of parts: Parts) throws -> [UInt8] {
        let decimal = try #require(Decimal(string: parts.text))
        let stored = try StorageValue(storing: decimal)
        #expect(try stored.decode(as: Decimal.self) == decimal, "\(parts.text)")
        return try #require(stored.bytes)
    }

    @Test("Numbers of every sign and size sort as numbers")
    func ladder() throws {
        let ladder = [
            "-1e40", "-100", "-99.9", "-10", "-1.1", "-1", "-0.5", "-0.05", "-1e-40", "0", "1e-40",
            "0.05", "0.5", "0.55", "1", "1.1", "9", "9.9", "10", "99.9", "100", "1e40",
        ]
        let forms = try ladder.map { text in
            let decimal = try #require(Decimal(string: text))
            return try #require(try StorageValue(storing: decimal).bytes)
        }
        for (index, form) in forms.enumerated() {
            for later in forms[(index + 1)...] {
                #expect(form.lexicographicallyPrecedes(later))
            }
        }
    }

    @Test("Equal numbers have one form, whatever their scale")
    func canonical() throws {
        let long = Decimal(sign: .plus, exponent: -3, significand: 1_500)
        let short = try #require(Decimal(string: "1.5"))
        #expect(try StorageValue(storing: long) == StorageValue(storing: short))
        #expect(try StorageValue(storing: Decimal(0)) == StorageValue(storing: -Decimal(0)))
    }

    @Test("NaN and bytes that are no decimal are refused")
    func refusals() {
        #expect(failure { try StorageValue(storing: Decimal.nan) }?.code == .invalidValue)
        for bytes in [[], [3], [1, 0], [2, 0x80, 1], [2, 0x80, 1, 0, 0], [2, 0x80, 1, 200, 0]] {
            let stored = StorageValue.data(bytes.map { UInt8($0) })
            #expect(failure { try stored.decode(as: Decimal.self) }?.code == .decoding)
        }
    }
}
