/// Texts as they stand between the quotes of JSON.
enum JSONString {
    /// Returns whether two texts are the same, however they are written.
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        if !hasEscapes(left), !hasEscapes(right) { return compareBytes(left, right) == 0 }
        guard let left = decoded(left), let right = decoded(right) else { return false }
        return left == right
    }

    /// Returns whether a text has a backslash, so that it does not stand as it is.
    static func hasEscapes(_ text: UnsafeRawBufferPointer) -> Bool {
        text.contains(UInt8(ascii: "\\"))
    }

    /// Returns the bytes of a text; nil where it is none that the library keeps: it has a NUL, half of a surrogate pair, or
    /// an escape that JSON does not know.
    static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = 0
        while position < text.count {
            guard text[position] == UInt8(ascii: "\\") else {
                if text[position] == 0 { return nil }
                bytes.append(text[position])
                position += 1
                continue
            }
            guard position + 1 < text.count else { return nil }
            position += 2
            switch text[position - 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                bytes.append(text[position - 1])
            case UInt8(ascii: "b"): bytes.append(8)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "f"): bytes.append(12)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(text, &position), scalar != "\0" else { return nil }
                bytes.append(contentsOf: String(scalar).utf8)
            default: return nil
            }
        }
        return bytes
    }

    /// Returns a text as it stands between quotes.
    static func encoded(_ text: String) -> String {
        var json = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case ..<" ":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json
    }

    /// Returns the scalar of an escape behind its `u`, and moves behind it and the one of its other half.
    private static func scalar(
        _ text: UnsafeRawBufferPointer,
        _ position: inout Int
    ) -> Unicode.Scalar? {
        guard let first = unit(text, &position) else { return nil }
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
        guard position + 1 < text.count, text[position] == UInt8(ascii: "\\"),
            text[position + 1] == UInt8(ascii: "u")
        else { return nil }
        position += 2
        guard let second = unit(text, &position), (0xDC00...0xDFFF).contains(second) else {
            return nil
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func unit(_ text: UnsafeRawBufferPointer, _ position: inout Int) -> UInt32? {
        guard position + 4 <= text.count else { return nil }
        var unit: UInt32 = 0
        for byte in text[position..<position + 4] {
            guard byte < 128, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        position += 4
        return unit
    }
}
