public import Foundation

/// The order-preserving form of a decimal: comparing bytes compares numbers.
///
/// A leading byte gives the sign: 0 negative, 1 zero (nothing follows), 2 positive. Then come the decimal
/// exponent of the fraction 0.d₁d₂… as two bytes, big-endian, offset by 0x8000, and the digits in pairs, each
/// pair plus one in a byte, ended by a zero byte. For a negative number every byte after the first is
/// complemented. Trailing zeros are dropped, so equal numbers have equal bytes.
public enum OrderedDecimal {
    /// Returns the form of a number, or nil for NaN and over 38 significant digits.
    public static func encode(_ decimal: Decimal) -> [UInt8]? {
        decimal.isNaN ? nil : form(of: decimal.description)
    }

    /// Returns the form of a number written in digits, with a point or an exponent if it has one; nil when no
    /// `Decimal` of at most 38 digits is it.
    public static func encode(_ text: String) -> [UInt8]? {
        guard let form = form(of: text), form.withUnsafeBytes(isForm) else { return nil }
        return form
    }

    private static func form(of text: String) -> [UInt8]? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        guard let (digits, exponent) = parts(of: isNegative ? text.dropFirst() : text[...]),
            digits.count <= 38
        else { return nil }
        return form(isNegative: isNegative, digits: digits, exponent: exponent)
    }

    /// Returns the form of ±0.d₁d₂… × 10ᴱ, with as many digits as there are; of zero without any.
    ///
    /// Neither the first nor the last digit is zero.
    static func form(isNegative: Bool, digits: [UInt8], exponent: Int) -> [UInt8] {
        if digits.isEmpty { return [1] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + (digits.count + 1) / 2)
        let biased = UInt16(exponent + 0x8000)
        bytes.append(UInt8(biased >> 8))
        bytes.append(UInt8(truncatingIfNeeded: biased))
        for pair in stride(from: 0, to: digits.count, by: 2) {
            let low = pair + 1 < digits.count ? digits[pair + 1] : 0
            bytes.append(digits[pair] * 10 + low + 1)
        }
        bytes.append(0)
        if isNegative { for index in bytes.indices { bytes[index] = ~bytes[index] } }
        return [isNegative ? 0 : 2] + bytes
    }

    /// Returns the number of a form, or nil when the bytes are not one.
    public static func decode(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        if let decimal = short(bytes) { return decimal }
        guard let (text, exponent) = digits(of: bytes) else { return nil }
        if text == "0" { return 0 }
        return Decimal(string: "\(text)e\(exponent)", locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Returns whether bytes are the form of a number, the one that `encode` gives it.
    public static func isForm(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let sign = bytes.first, sign <= 2 else { return false }
        if sign == 1 { return bytes.count == 1 }
        // The sign, the exponent, one to nineteen pairs of digits and the end.
        guard (5...23).contains(bytes.count) else { return false }
        let mask: UInt8 = sign == 0 ? 0xFF : 0
        let pairs = bytes[3..<bytes.count - 1]
        guard bytes[bytes.count - 1] ^ mask == 0,
            pairs.allSatisfy({ (1...100).contains($0 ^ mask) }),
            bytes[3] ^ mask > 10, bytes[bytes.count - 2] ^ mask > 1
        else { return false }
        // Near the point, as nearly all are, any digits make a decimal.
        let exponent = (Int(bytes[1] ^ mask) << 8 | Int(bytes[2] ^ mask)) - 0x8000
        return abs(exponent) < 64 || decode(bytes) != nil
    }

    /// Returns a number whose digits fit a word and whose power of ten is one that a `Decimal` has; nil for other bytes.
    ///
    /// Nearly all numbers are such, and to make a text and to read it takes ten times as long.
    private static func short(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        // The sign, the exponent, one to nine pairs of digits and the end.
        guard (5...13).contains(bytes.count), bytes[0] == 2 || bytes[0] == 0 else { return nil }
        let mask: UInt8 = bytes[0] == 0 ? 0xFF : 0
        guard bytes[bytes.count - 1] ^ mask == 0 else { return nil }
        var number: UInt64 = 0
        for byte in bytes[3..<bytes.count - 1] {
            let pair = byte ^ mask
            guard (1...100).contains(pair) else { return nil }
            number = number * 100 + UInt64(pair - 1)
        }
        // Neither the first nor the last digit of a form is zero, but for the one that fills the last pair.
        guard bytes[3] ^ mask > 10, bytes[bytes.count - 2] ^ mask > 1 else { return nil }
        var count = 2 * (bytes.count - 4)
        if number % 10 == 0 {
            number /= 10
            count -= 1
        }
        let exponent = (Int(bytes[1] ^ mask) << 8 | Int(bytes[2] ^ mask)) - 0x8000 - count
        guard abs(exponent) <= maximumPower else { return nil }
        return Decimal(
            sign: mask == 0 ? .plus : .minus,
            exponent: exponent,
            significand: Decimal(number)
        )
    }

    /// The largest power of ten that a `Decimal` has beside its digits.
    private static let maximumPower = 127

    /// Returns the signed digits and the power of ten they are multiplied by.
    private static func digits(of bytes: UnsafeRawBufferPointer) -> (String, Int)? {
        guard let sign = bytes.first else { return nil }
        if sign == 1 { return bytes.count == 1 ? ("0", 0) : nil }
        guard sign == 0 || sign == 2, bytes.count >= 5 else { return nil }
        let mask: UInt8 = sign == 0 ? 0xFF : 0
        let exponent = (Int(bytes[1] ^ mask) << 8 | Int(bytes[2] ^ mask)) - 0x8000
        var digits: [UInt8] = []
        for byte in bytes[3..<bytes.count - 1] {
            let pair = byte ^ mask
            guard (1...100).contains(pair) else { return nil }
            digits.append((pair - 1) / 10)
            digits.append((pair - 1) % 10)
        }
        guard bytes[bytes.count - 1] ^ mask == 0 else { return nil }
        while digits.last == 0 { digits.removeLast() }
        guard let first = digits.first, first != 0, digits.count <= 38 else { return nil }
        // A power of ten goes up to 127; zeros at the end of the digits lower it.
        while exponent - digits.count > Self.maximumPower, digits.count < 38 { digits.append(0) }
        let text = (sign == 0 ? "-" : "") + digits.map(String.init).joined()
        return (text, exponent - digits.count)
    }

    /// The significant digits, none for zero, and the exponent E of 0.d₁d₂… × 10^E; nil for what is no number.
    private static func parts(of text: Substring) -> (digits: [UInt8], exponent: Int)? {
        var digits: [UInt8] = []
        var point: Int?
        var scientific = 0
        var characters = text.utf8.makeIterator()
        while let character = characters.next() {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(character - 48)
            case UInt8(ascii: ".") where point == nil: point = digits.count
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                var rest = ""
                while let next = characters.next() { rest.unicodeScalars.append(.init(next)) }
                guard let value = Int(rest), value.magnitude < 0x8000 else { return nil }
                scientific = value
            default: return nil
            }
        }
        if digits.isEmpty { return nil }
        var exponent = (point ?? digits.count) + scientific
        let leading = digits.prefix { $0 == 0 }.count
        digits.removeFirst(leading)
        exponent -= leading
        while digits.last == 0 { digits.removeLast() }
        return digits.isEmpty || abs(exponent) < 0x8000 ? (digits, exponent) : nil
    }
}
