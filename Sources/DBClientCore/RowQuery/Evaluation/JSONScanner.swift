/// A place in a JSON text, moved from value to value without decoding what lies between.
///
/// Text that is no JSON has no parts; nothing is read beyond its end.
struct JSONScanner {
    private let json: UnsafeRawBufferPointer
    private var position = 0

    init(_ json: UnsafeRawBufferPointer) { self.json = json }

    /// Moves to the part that a path leads to, the JSON text of a list of keys and positions, and returns its text; nil
    /// where it leads nowhere.
    ///
    /// Where an object has a key twice, the first counts, as it does for a decoder.
    static func part(
        at path: UnsafeRawBufferPointer,
        of json: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        var (scanner, steps) = (JSONScanner(json), JSONScanner(path))
        guard steps.take("[") else { return nil }
        while let byte = steps.next(), byte != UInt8(ascii: "]") {
            if let key = steps.text() {
                guard scanner.enter(key: key) else { return nil }
            } else {
                guard let number = steps.value(), let index = Int(decimal: number),
                    scanner.enter(index: index)
                else { return nil }
            }
            if !steps.take(",") { break }
        }
        return scanner.value()
    }

    /// Returns the texts among the elements of a list, as they stand between quotes.
    static func texts(in list: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        var scanner = JSONScanner(list)
        var texts: [UnsafeRawBufferPointer] = []
        guard scanner.take("[") else { return [] }
        repeat {
            if let text = scanner.text() { texts.append(text) } else { _ = scanner.value() }
        } while scanner.take(",")
        return texts
    }

    /// The byte behind white space, which is passed over; nil at the end.
    private mutating func next() -> UInt8? {
        while position < json.count {
            switch json[position] {
            case 9, 10, 13, 32: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    /// Moves behind a text and returns what stands between its quotes; nil where there is no text.
    private mutating func text() -> UnsafeRawBufferPointer? {
        guard take("\"") else { return nil }
        let start = position
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "\""):
                position += 1
                return UnsafeRawBufferPointer(rebasing: json[start..<position - 1])
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }

    /// Moves behind a value and returns its text; nil where there is none.
    private mutating func value() -> UnsafeRawBufferPointer? {
        guard let first = next() else { return nil }
        let start = position
        switch first {
        case UInt8(ascii: "\""):
            if text() == nil { return nil }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard passNested() else { return nil }
        default:
            while position < json.count, !Self.endsScalar(json[position]) { position += 1 }
        }
        return start < position
            ? UnsafeRawBufferPointer(rebasing: json[start..<position]) : nil
    }

    /// Moves behind an object or a list, and returns whether it has an end.
    private mutating func passNested() -> Bool {
        var depth = 0
        while position < json.count {
            switch json[position] {
            case UInt8(ascii: "\""):
                if text() == nil { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return true }
        }
        return false
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case 9, 10, 13, 32, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
        default: false
        }
    }

    /// Moves to the value of a key, given as it stands between quotes.
    private mutating func enter(key: UnsafeRawBufferPointer) -> Bool {
        guard take("{") else { return false }
        while let name = text() {
            guard take(":") else { return false }
            if JSONString.areEqual(name, key) { return true }
            guard value() != nil, take(",") else { return false }
        }
        return false
    }

    /// Moves to the element at a position of a list.
    private mutating func enter(index: Int) -> Bool {
        guard take("["), next() != UInt8(ascii: "]") else { return false }
        for _ in 0..<index { guard value() != nil, take(",") else { return false } }
        return true
    }
}

extension Int {
    /// Creates a position from its digits.
    fileprivate init?(decimal digits: UnsafeRawBufferPointer) {
        self = 0
        for digit in digits {
            let (tens, leaves) = multipliedReportingOverflow(by: 10)
            let (sum, leavesToo) = tens.addingReportingOverflow(Int(digit) - 48)
            guard (48...57).contains(digit), !leaves, !leavesToo else { return nil }
            self = sum
        }
    }
}
