/// The text of JSON as the library writes it: without blanks between values, the keys of objects sorted.
///
/// The server gives the text of a `jsonb` with a blank after each comma and colon, and with keys in the order of their
/// lengths. Values that are equal must have equal texts, whether they were just written or are read.
struct JSONText {
    private let text: UnsafeRawBufferPointer
    private var position = 0

    /// Deeper values stay as they are: no model of the library writes them.
    private static let maximumNesting = 512

    /// Returns the text of a value; nil where it is nested too deep.
    static func canonical(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var reader = JSONText(text: text)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        return reader.appendValue(to: &result, depth: 0) ? result : nil
    }

    private init(text: UnsafeRawBufferPointer) {
        self.text = text
    }

    private mutating func skipBlanks() {
        while position < text.count, text[position] == UInt8(ascii: " ") { position += 1 }
    }

    /// Appends the value at the position and goes behind it.
    private mutating func appendValue(to result: inout [UInt8], depth: Int) -> Bool {
        guard depth < Self.maximumNesting else { return false }
        skipBlanks()
        guard position < text.count else { return false }
        switch text[position] {
        case UInt8(ascii: "{"): return appendObject(to: &result, depth: depth)
        case UInt8(ascii: "["): return appendArray(to: &result, depth: depth)
        case UInt8(ascii: "\""): appendString(to: &result)
        default:
            // A number or a word.
            while position < text.count, !",]} ".utf8.contains(text[position]) {
                result.append(text[position])
                position += 1
            }
        }
        return true
    }

    private mutating func appendString(to result: inout [UInt8]) {
        let start = position
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, text.count)
        result.append(contentsOf: text[start..<position])
    }

    private mutating func appendArray(to result: inout [UInt8], depth: Int) -> Bool {
        result.append(UInt8(ascii: "["))
        var isFirst = true
        while !isAtEnd(UInt8(ascii: "]")) {
            if !isFirst { result.append(UInt8(ascii: ",")) }
            isFirst = false
            guard appendValue(to: &result, depth: depth + 1) else { return false }
        }
        result.append(UInt8(ascii: "]"))
        return true
    }

    private mutating func appendObject(to result: inout [UInt8], depth: Int) -> Bool {
        var members: [(key: [UInt8], value: [UInt8])] = []
        while !isAtEnd(UInt8(ascii: "}")) {
            var member: (key: [UInt8], value: [UInt8]) = ([], [])
            skipBlanks()
            appendString(to: &member.key)
            skipBlanks()
            position += 1
            guard appendValue(to: &member.value, depth: depth + 1) else { return false }
            members.append(member)
        }
        members.sort { $0.key.lexicographicallyPrecedes($1.key) }
        result.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { result.append(UInt8(ascii: ",")) }
            result += member.key
            result.append(UInt8(ascii: ":"))
            result += member.value
        }
        result.append(UInt8(ascii: "}"))
        return true
    }

    /// Goes behind the mark that begins or separates members, and returns whether the one that ends them was there
    /// instead, or nothing.
    private mutating func isAtEnd(_ end: UInt8) -> Bool {
        skipBlanks()
        guard position < text.count else { return true }
        let mark = text[position]
        position += 1
        if mark == end { return true }
        skipBlanks()
        guard position < text.count, text[position] == end else { return false }
        position += 1
        return true
    }
}
