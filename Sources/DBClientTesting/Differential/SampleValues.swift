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

    static func text(_ random: RandomSource) -> String {
        switch random.below(12) {
        case 10: words[random.below(words.count)] + words[random.below(words.count)]
        case 11: long + words[random.below(words.count)]
        default: words[random.below(words.count)]
        }
    }

    /// Text that no field can hold now and then.
    static func anyText(_ random: RandomSource) -> String {
        random.chance(1) ? "a\0b" : text(random)
    }

    /// Text short enough for a key.
    static func keyText(_ random: RandomSource) -> String {
        words[random.below(words.count)] + (random.chance(10) ? String(long.prefix(200)) : "")
    }

    static func needle(_ random: RandomSource) -> String {
        random.chance(5) ? long : words[random.below(words.count)]
    }

    static func pattern(_ random: RandomSource) -> String {
        random.list(upTo: 4) { random in
            random.chance(40) ? random.pick("*", "?") : words[random.below(words.count)]
        }.joined()
    }

    /// Doubles whose sums are exact in any order, infinite or no number at all.
    static func double(_ random: RandomSource) -> Double {
        if random.chance(3) { return random.pick(.infinity, -.infinity) }
        let value = Double(random.below(64)) / 8
        return random.chance(30) ? -value : value
    }

    static func anyDouble(_ random: RandomSource) -> Double {
        switch random.below(12) {
        case 8: .infinity
        case 9: -.infinity
        case 10: random.pick(.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, -0.0)
        case 11: 1e300
        default: double(random)
        }
    }

    static func float(_ random: RandomSource) -> Float {
        random.chance(10)
            ? random.pick(0.1, .infinity, .greatestFiniteMagnitude, -0.0) : Float(double(random))
    }

    static func small(_ random: RandomSource) -> Int {
        let value = random.below(8)
        return random.chance(20) ? -value : value
    }

    /// Integers with the ends of their type among them.
    static func integer<Value: FixedWidthInteger>(_ random: RandomSource) -> Value {
        switch random.below(10) {
        case 8: Value.isSigned || Value.bitWidth < 64 ? .max : Value(Int64.max)
        case 9: .min
        default: Value(random.below(8))
        }
    }

    /// Dates that are whole numbers of microseconds in every form.
    static func date(_ random: RandomSource) -> Date {
        if random.chance(10) { return random.pick(.distantPast, .distantFuture) }
        let seconds = Double(random.below(40)) / 8
        return Date(timeIntervalSinceReferenceDate: random.chance(30) ? 0 - seconds : seconds)
    }

    static func data(_ random: RandomSource) -> Data {
        Data(random.list(upTo: 3) { $0.pick(0, 1, 255) })
    }

    static func uuid(_ random: RandomSource) -> UUID {
        let first = UInt8(random.pick(0, 1, 127, 128, 255))
        let last = UInt8(random.below(2))
        return UUID(uuid: (first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
    }

    static func url(_ random: RandomSource) -> URL {
        let text = random.pick("/", "https://example.org/a", "https://example.org/%C3%A9?b=c")
        return URL(string: text) ?? URL(fileURLWithPath: "/")
    }

    static func decimal(_ random: RandomSource) -> Decimal {
        let exponent = random.pick(0, -1, 1, -3, 20, -20)
        let significand = Decimal(random.pick(0, 1, 5, 9, 10, 95, 100, 123_456_789))
        return Decimal(
            sign: random.chance(30) ? .minus : .plus,
            exponent: exponent,
            significand: significand
        )
    }
}
