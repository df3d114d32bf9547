import Foundation

/// Made-up values: small sets, so that values meet, with the ends of each type among them.
enum SampleValues {
    private static let words = [
        "", "a", "A", "b", "ab", "aB", "AB", "z", "é", "e\u{301}", "É", "%", "_", "a_b", "a%b",
        "axb",
        "*", "?", "a*b", "[\u{301}", "*\u{301}", "\"\u{301}", "\u{301}", "'", "\"", "\\", "[a]",
        ";--", " ", "🦸", "\u{FFFF}", "\u{10FFFF}", "ß",
        "0", "10", "9", "null", "a09", "A9", "a10", "é10", "\u{FF19}", "00",
    ]
    private static let long = String(repeating: "x", count: 600)

    static func text(_ draws: Draws) -> String {
        switch draws.below(12) {
        case 10: words[draws.below(words.count)] + words[draws.below(words.count)]
        case 11: long + words[draws.below(words.count)]
        default: words[draws.below(words.count)]
        }
    }

    /// Text that no field can hold now and then.
    static func anyText(_ draws: Draws) -> String {
        draws.chance(1) ? "a\0b" : text(draws)
    }

    /// Text short enough for a key.
    static func keyText(_ draws: Draws) -> String {
        words[draws.below(words.count)] + (draws.chance(10) ? String(long.prefix(200)) : "")
    }

    static func needle(_ draws: Draws) -> String {
        draws.chance(5) ? long : words[draws.below(words.count)]
    }

    static func pattern(_ draws: Draws) -> String {
        draws.list(upTo: 4) { draws in
            draws.chance(40) ? draws.pick("*", "?") : words[draws.below(words.count)]
        }.joined()
    }

    /// Doubles whose sums are exact in any order, infinite or no number at all.
    static func double(_ draws: Draws) -> Double {
        if draws.chance(3) { return draws.pick(.infinity, -.infinity) }
        let value = Double(draws.below(64)) / 8
        return draws.chance(30) ? -value : value
    }

    static func anyDouble(_ draws: Draws) -> Double {
        switch draws.below(12) {
        case 8: .infinity
        case 9: -.infinity
        case 10: draws.pick(.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, -0.0)
        case 11: 1e300
        default: double(draws)
        }
    }

    static func float(_ draws: Draws) -> Float {
        draws.chance(10)
            ? draws.pick(0.1, .infinity, .greatestFiniteMagnitude, -0.0) : Float(double(draws))
    }

    static func small(_ draws: Draws) -> Int {
        let value = draws.below(8)
        return draws.chance(20) ? -value : value
    }

    /// Integers with the ends of their type among them.
    static func integer<Value: FixedWidthInteger>(_ draws: Draws) -> Value {
        switch draws.below(10) {
        case 8: Value.isSigned || Value.bitWidth < 64 ? .max : Value(Int64.max)
        case 9: .min
        default: Value(draws.below(8))
        }
    }

    /// Dates that are whole numbers of microseconds in every form.
    static func date(_ draws: Draws) -> Date {
        if draws.chance(10) { return draws.pick(.distantPast, .distantFuture) }
        let seconds = Double(draws.below(40)) / 8
        return Date(timeIntervalSinceReferenceDate: draws.chance(30) ? 0 - seconds : seconds)
    }

    static func data(_ draws: Draws) -> Data {
        Data(draws.list(upTo: 3) { $0.pick(0, 1, 255) })
    }

    static func uuid(_ draws: Draws) -> UUID {
        let first = UInt8(draws.pick(0, 1, 127, 128, 255))
        let last = UInt8(draws.below(2))
        return UUID(uuid: (first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
    }

    static func url(_ draws: Draws) -> URL {
        let text = draws.pick("/", "https://example.org/a", "https://example.org/%C3%A9?b=c")
        return URL(string: text) ?? URL(fileURLWithPath: "/")
    }

    static func decimal(_ draws: Draws) -> Decimal {
        let exponent = draws.pick(0, -1, 1, -3, 20, -20)
        let significand = Decimal(draws.pick(0, 1, 5, 9, 10, 95, 100, 123_456_789))
        return Decimal(
            sign: draws.chance(30) ? .minus : .plus,
            exponent: exponent,
            significand: significand
        )
    }
}
