/// Returns whether bytes are well-formed UTF-8, which SQLite takes on trust.
func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    let count = bytes.count
    var seen: UInt64 = 0
    if count >= 8 {
        var position = 0
        while position + 16 <= count {
            seen |= start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            seen |= start.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
            position += 16
        }
        if position + 8 <= count {
            seen |= start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        }
        // The last word, which overlaps what was looked at, has the bytes that are left.
        seen |= start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
        for position in 0..<count {
            seen |= UInt64(start.load(fromByteOffset: position, as: UInt8.self))
        }
    }
    return seen & 0x8080_8080_8080_8080 == 0 || isUTF8Slow(bytes, from: 0)
}

/// Table 3-7 of the Unicode standard, byte by byte.
@inline(never)
private func isUTF8Slow(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var position = start
    while position < bytes.count {
        let lead = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0..<0x80: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { second = 0xA0...0xBF }
            if lead == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { second = 0x90...0xBF }
            if lead == 0xF4 { second = 0x80...0x8F }
        default: return false
        }
        guard position + length <= bytes.count else { return false }
        if length > 1, !second.contains(bytes[position + 1]) { return false }
        for offset in 2..<max(length, 2) where bytes[position + offset] & 0xC0 != 0x80 {
            return false
        }
        position += length
    }
    return true
}
