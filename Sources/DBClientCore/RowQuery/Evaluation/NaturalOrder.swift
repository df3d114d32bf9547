/// The order in which people sort names, as one total preorder of texts for every engine and locale.
///
/// Case, accents and the width of letters do not count, as ``TextFolding`` has it, and a run of the digits 0 to 9 counts as
/// the number that it is. Everything else is in the order of its bytes; nothing follows the habits of one
/// language. Texts that differ in nothing else are equal, and the next key of a sort decides.
public enum NaturalOrder {
    /// Returns the order of two texts: negative, zero or positive.
    public static func compare(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int {
        if left.isASCII && right.isASCII { return compareASCII(left, right) }
        var keys = ([UInt8](), [UInt8]())
        appendKey(of: left, to: &keys.0)
        appendKey(of: right, to: &keys.1)
        return keys.0.withUnsafeBytes { left in
            keys.1.withUnsafeBytes { right in compareBytes(left, right) }
        }
    }

    /// Appends bytes, none of them 0, whose order is that of the texts.
    public static func appendKey(of text: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        TextFolding.withFolded(text) { appendKey(ofFolded: $0, to: &key) }
    }

    /// A number is the digit 0, then how many digits it has, then the digits: it stands where digits
    /// stand among other characters, and a longer number comes after every shorter one.
    private static func appendKey(ofFolded text: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        var position = 0
        while position < text.count {
            guard isDigit(text[position]) else {
                key.append(asciiFolded(text[position]))
                position += 1
                continue
            }
            let digits = number(in: text, from: &position)
            key.append(UInt8(ascii: "0"))
            var count = digits.count
            while count >= 254 {
                key.append(255)
                count -= 254
            }
            key.append(UInt8(count + 1))
            key.append(contentsOf: text[digits])
        }
    }

    private static func compareASCII(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer
    ) -> Int {
        var (leftPosition, rightPosition) = (0, 0)
        while leftPosition < left.count && rightPosition < right.count {
            if isDigit(left[leftPosition]) && isDigit(right[rightPosition]) {
                let leftDigits = number(in: left, from: &leftPosition)
                let rightDigits = number(in: right, from: &rightPosition)
                if leftDigits.count != rightDigits.count {
                    return leftDigits.count - rightDigits.count
                }
                let order = compareBytes(
                    UnsafeRawBufferPointer(rebasing: left[leftDigits]),
                    UnsafeRawBufferPointer(rebasing: right[rightDigits])
                )
                if order != 0 { return order }
                continue
            }
            let order =
                Int(asciiFolded(left[leftPosition])) - Int(asciiFolded(right[rightPosition]))
            if order != 0 { return order }
            leftPosition += 1
            rightPosition += 1
        }
        return (left.count - leftPosition) - (right.count - rightPosition)
    }

    /// Returns where the digits of a number stand, without leading zeros, and moves behind them.
    private static func number(
        in text: UnsafeRawBufferPointer,
        from position: inout Int
    ) -> Range<Int> {
        while position < text.count, text[position] == UInt8(ascii: "0") { position += 1 }
        let start = position
        while position < text.count, isDigit(text[position]) { position += 1 }
        return start..<position
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var isASCII: Bool { allSatisfy { $0 < 128 } }
}
