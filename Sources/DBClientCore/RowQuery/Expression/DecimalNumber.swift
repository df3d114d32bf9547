/// A decimal taken apart: its digits, at most 38 and none for zero, times a power of ten.
///
/// Its arithmetic is exact, or has no result: what has more digits, or lies farther from the point than a `Decimal` does,
/// is nil.
struct DecimalNumber {
    let isNegative: Bool
    /// The digits, of which the last is not zero unless all are.
    let digits: UInt128
    let power: Int

    /// The first number of more than 38 digits.
    static let limit = (0..<38).reduce(1 as UInt128) { limit, _ in limit * 10 }
    static let zero = DecimalNumber(isNegative: false, digits: 0, power: 0)

    private init(isNegative: Bool, digits: UInt128, power: Int) {
        (self.isNegative, self.digits, self.power) = (isNegative, digits, power)
    }

    /// Creates a number from any digits; nil where more than 38 are left without the zeros at their end.
    init?(_ isNegative: Bool, _ digits: UInt128, power: Int) {
        if digits == 0 {
            self = .zero
            return
        }
        var (digits, power) = (digits, power)
        while true {
            let (rest, last) = digits.quotientAndRemainder(dividingBy: 10)
            if last != 0 { break }
            (digits, power) = (rest, power + 1)
        }
        guard digits < Self.limit else { return nil }
        self.init(isNegative: isNegative, digits: digits, power: power)
    }

    /// Creates a number from the form of ``OrderedDecimal``; nil for bytes that are none.
    init?(_ form: UnsafeRawBufferPointer) {
        guard OrderedDecimal.isForm(form) else { return nil }
        if form[0] == 1 {
            self = .zero
            return
        }
        let mask: UInt8 = form[0] == 0 ? 0xFF : 0
        let exponent = (Int(form[1] ^ mask) << 8 | Int(form[2] ^ mask)) - 0x8000
        let pairs = form[3..<form.count - 1]
        let digits = pairs.reduce(0 as UInt128) { $0 * 100 + UInt128(($1 ^ mask) - 1) }
        self.init(mask != 0, digits, power: exponent - 2 * pairs.count)
    }

    init(_ integer: Int64) {
        self = DecimalNumber(integer < 0, UInt128(integer.magnitude), power: 0) ?? .zero
    }

    /// The form of ``OrderedDecimal``; nil where no `Decimal` is the number.
    var form: [UInt8]? {
        let digits = decimalDigits
        let exponent = digits.isEmpty ? 0 : digits.count + power
        guard digits.isEmpty || power >= -128 && exponent <= 165 else { return nil }
        return OrderedDecimal.form(isNegative: isNegative, digits: digits, exponent: exponent)
    }

    private var decimalDigits: [UInt8] {
        var reversed: [UInt8] = []
        var rest = digits
        while rest != 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            reversed.append(UInt8(digit))
            rest = quotient
        }
        return reversed.reversed()
    }

    /// The number as a text that `Double` and `Float` read.
    var text: String { "\(isNegative ? "-" : "")\(digits)e\(power)" }

    /// The integer that the number is without its fraction; nil where `Int64` has none.
    var integer: Int64? {
        var value = digits
        if power < 0 {
            value = power < -38 ? 0 : value / Self.ten(-power)
        } else if value != 0 {
            guard power < 20 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: Self.ten(power))
            if overflow { return nil }
            value = product
        }
        guard value <= 1 << 63 else { return nil }
        return isNegative ? Int64(exactly: -Int128(value)) : Int64(exactly: value)
    }

    private static func ten(_ power: Int) -> UInt128 {
        (0..<power).reduce(1 as UInt128) { product, _ in product * 10 }
    }
}

extension DecimalNumber {
    var negated: DecimalNumber {
        DecimalNumber(isNegative: digits != 0 && !isNegative, digits: digits, power: power)
    }

    var magnitude: DecimalNumber {
        DecimalNumber(isNegative: false, digits: digits, power: power)
    }

    /// Returns the sum.
    ///
    /// The last digit of the operand that has the lower one is the last of the sum. So a sum for which 128 bits have no
    /// room has more than 38 digits.
    func adding(_ other: DecimalNumber) -> DecimalNumber? {
        if digits == 0 { return other }
        if other.digits == 0 { return self }
        if power < other.power { return other.adding(self) }
        let shift = power - other.power
        guard shift <= 38 else { return nil }
        let (raised, overflow) = digits.multipliedReportingOverflow(by: Self.ten(shift))
        if overflow { return nil }
        if isNegative == other.isNegative {
            let (sum, overflow) = raised.addingReportingOverflow(other.digits)
            return overflow ? nil : DecimalNumber(isNegative, sum, power: other.power)
        }
        return raised >= other.digits
            ? DecimalNumber(isNegative, raised - other.digits, power: other.power)
            : DecimalNumber(other.isNegative, other.digits - raised, power: other.power)
    }

    /// Returns the product.
    func multiplied(by other: DecimalNumber) -> DecimalNumber? {
        if digits == 0 || other.digits == 0 { return .zero }
        let sign = isNegative != other.isNegative
        var power = power + other.power
        var (high, low) = digits.multipliedFullWidth(by: other.digits)
        // Twos and fives of the operands make zeros at the end, which are no digits of the product.
        while high != 0 {
            let (upper, carried) = high.quotientAndRemainder(dividingBy: 10)
            let (lower, last) = (10 as UInt128).dividingFullWidth((carried, low))
            if last != 0 { return nil }
            (high, low, power) = (upper, lower, power + 1)
        }
        return DecimalNumber(sign, low, power: power)
    }

    /// Returns the quotient with so many digits behind the point, rounded to the nearest, from zero where two are as
    /// near; nil also for a divisor of zero.
    ///
    /// - Parameters:
    ///   - other: The divisor.
    ///   - scale: The number of digits, from -128 to 128; below zero tens, hundreds and so on are kept.
    /// - Returns: The quotient.
    func divided(by other: DecimalNumber, scale: Int) -> DecimalNumber? {
        if other.digits == 0 { return nil }
        if digits == 0 { return .zero }
        let sign = isNegative != other.isNegative
        let count = power - other.power + scale
        var (quotient, rest) = digits.quotientAndRemainder(dividingBy: other.digits)
        if count < 0 {
            guard count >= -38 else { return .zero }
            let unit = Self.ten(-count)
            let (kept, left) = quotient.quotientAndRemainder(dividingBy: unit)
            return DecimalNumber(sign, left >= unit / 2 ? kept + 1 : kept, power: -scale)
        }
        for place in 0..<count {
            let power = count - place - scale
            if rest == 0 { return DecimalNumber(sign, quotient, power: power) }
            let (raised, overflow) = quotient.multipliedReportingOverflow(by: 10)
            if overflow || raised > .max - 10 {
                // There is room for no further digit, unless what follows is rounded to nothing or to one.
                let divisor = other.digits
                if Self.isRounded(rest, of: divisor, to: count - place) {
                    return DecimalNumber(sign, quotient, power: power)
                }
                return Self.isRounded(divisor - rest, of: divisor, to: count - place, orHalf: true)
                    ? DecimalNumber(sign, quotient + 1, power: power) : nil
            }
            let (digit, left) = other.digits.dividingFullWidth(rest.multipliedFullWidth(by: 10))
            (quotient, rest) = (raised + digit, left)
        }
        let isUp = rest >= other.digits - rest
        return DecimalNumber(sign, isUp ? quotient + 1 : quotient, power: -scale)
    }
    /// Returns whether a part of a divisor is less than half of one in the last of so many digits.
    private static func isRounded(
        _ part: UInt128,
        of divisor: UInt128,
        to digits: Int,
        orHalf: Bool = false
    ) -> Bool {
        guard digits <= 38 else { return false }
        let (doubled, overflow) = part.multipliedReportingOverflow(by: 2 * ten(digits))
        return !overflow && (doubled < divisor || orHalf && doubled == divisor)
    }
}
