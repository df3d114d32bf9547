/// A part of a JSON text: a scalar with its value, and all else as it is written.
enum JSONPart: Equatable {
    case null
    case boolean(Bool)
    case number(String)
    case string(String, raw: String)
    case composite(String)

    /// The part as it is written.
    var raw: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .number(let text), .composite(let text): text
        case .string(_, let raw): raw
        }
    }
}

/// Reads one JSON object at a time, with the digits of numbers as they are written.
struct JSONScanner {
    private let bytes: [UInt8]
    private var position = 0

    /// Where the text is no JSON, and why.
    struct Failure: Error {
        let column: Int
        let message: String
    }

    /// The deepest nesting that is read.
    private static let maximumDepth = 512

    init(_ text: some Sequence<UInt8>) {
        bytes = Array(text)
    }

    /// Returns the pairs of the object that the text is, in their order.
    mutating func object() throws(Failure) -> [(name: String, value: JSONPart)] {
        var pairs: [(String, JSONPart)] = []
        try take("{")
        skipBlanks()
        if peek == UInt8(ascii: "}") {
            position += 1
        } else {
            while true {
                skipBlanks()
                guard case .string(let name, _) = try part() else {
                    throw failure("A name must be a string.")
                }
                try take(":")
                pairs.append((name, try part()))
                skipBlanks()
                guard peek == UInt8(ascii: ",") else { break }
                position += 1
            }
            try take("}")
        }
        skipBlanks()
        if position < bytes.count { throw failure("Nothing must follow the object.") }
        return pairs
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ message: String) -> Failure {
        Failure(column: position + 1, message: message)
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || (9...13).contains(byte) { position += 1 }
    }

    private mutating func take(_ character: Character) throws(Failure) {
        skipBlanks()
        guard peek == character.asciiValue else {
            throw failure(
                peek == nil ? "The text ends in the middle." : "There must be a \(character)."
            )
        }
        position += 1
    }

    private mutating func part() throws(Failure) -> JSONPart {
        skipBlanks()
        let start = position
        switch peek {
        case UInt8(ascii: "\""):
            let text = try string()
            return .string(text, raw: raw(from: start))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try skipComposite()
            return .composite(raw(from: start))
        case nil: throw failure("The text ends in the middle.")
        default:
            while let byte = peek, !Self.endsWord(byte) { position += 1 }
            let word = raw(from: start)
            switch word {
            case "null": return .null
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            default:
                position = start
                guard NumberText.isJSON(word) else { throw failure("There must be a JSON value.") }
                position += word.utf8.count
                return .number(word)
            }
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == 0x20 || (9...13).contains(byte) || byte == UInt8(ascii: ",")
            || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    private func raw(from start: Int) -> String {
        String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipComposite() throws(Failure) {
        var depth = 0
        repeat {
            switch peek {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
                if depth > Self.maximumDepth { throw failure("The value is nested too deep.") }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: "\""): _ = try string()
            case nil: throw failure("The text ends in the middle.")
            default: position += 1
            }
        } while depth > 0
    }

    private mutating func string() throws(Failure) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard let text = String(validating: text, as: UTF8.self) else {
                    throw failure("A string must be UTF-8.")
                }
                return text
            }
            guard byte == UInt8(ascii: "\\") else {
                if byte < 0x20 { throw failure("A string must have no control character.") }
                text.append(byte)
                continue
            }
            guard let escaped = peek else { break }
            position += 1
            switch escaped {
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "r"): text.append(13)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "b"): text.append(8)
            case UInt8(ascii: "f"): text.append(12)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
            case UInt8(ascii: "u"): text += String(try escapedScalar()).utf8
            default: throw failure("The escape must be one of JSON's.")
            }
        }
        throw failure("The text ends in the middle.")
    }

    private mutating func escapedScalar() throws(Failure) -> Character {
        let first = try fourDigits()
        guard (0xD800...0xDBFF).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else {
                throw failure("The escape must be a scalar.")
            }
            return Character(scalar)
        }
        guard peek == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw failure("The second half of the escape must follow.") }
        position += 2
        let second = try fourDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure("The second half of the escape must follow.") }
        return Character(scalar)
    }

    private mutating func fourDigits() throws(Failure) -> UInt32 {
        guard position + 4 <= bytes.count else { throw failure("The text ends in the middle.") }
        let text = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        guard text.allSatisfy(\.isHexDigit), let number = UInt32(text, radix: 16) else {
            throw failure("The escape must have four digits.")
        }
        position += 4
        return number
    }
}
