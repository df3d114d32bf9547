/// Whether texts are numbers in decimal digits.
///
/// They are looked at byte by byte: for a file of many numbers a regular expression takes most of the time.
enum NumberText {
    /// Whether a text is a number of JSON, before which zeros may stand.
    static func isJSON(_ text: String) -> Bool {
        var rest = Rest(bytes: text.utf8[...])
        _ = rest.take("-")
        guard rest.takeDigits() > 0 else { return false }
        if rest.take("."), rest.takeDigits() == 0 { return false }
        return rest.endsWithExponent()
    }

    /// Whether a text is a decimal number, which may have a sign, and digits on one side of the point alone.
    static func isDecimal(_ text: String) -> Bool {
        var rest = Rest(bytes: text.utf8[...])
        if !rest.take("-") { _ = rest.take("+") }
        var count = rest.takeDigits()
        if rest.take(".") { count += rest.takeDigits() }
        return count > 0 && rest.endsWithExponent()
    }

    /// What is left of a text.
    private struct Rest {
        var bytes: Substring.UTF8View

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard let first = bytes.first, UInt32(first) == character.value else { return false }
            bytes.removeFirst()
            return true
        }

        /// Takes digits and returns how many there were.
        mutating func takeDigits() -> Int {
            let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            bytes = bytes[digits.endIndex...]
            return digits.count
        }

        /// Whether there is an exponent and nothing else, or nothing.
        mutating func endsWithExponent() -> Bool {
            if take("e") || take("E") {
                if !take("-") { _ = take("+") }
                if takeDigits() == 0 { return false }
            }
            return bytes.isEmpty
        }
    }
}
