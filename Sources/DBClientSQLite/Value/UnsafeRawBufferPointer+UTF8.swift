extension UnsafeRawBufferPointer {
    /// Whether the bytes are well-formed UTF-8, which SQLite takes on trust.
    var isUTF8: Bool { highBits(of: self).seen == 0 || isUTF8Slow(self, from: 0) }

    /// Whether the bytes are a text that a store can have: well-formed UTF-8 without NUL, which a page of zeros would
    /// read as.
    var isStoredText: Bool {
        let (seen, afterZeros) = highBits(of: self)
        if seen | afterZeros == 0 { return true }
        return isUTF8Slow(self, from: 0) && !contains(0)
    }
}

/// Looks at eight bytes at a time.
///
/// - Returns: The high bits of bytes that are not ASCII, and, where there are none of these, some if a byte is zero.
@inline(__always)
private func highBits(of bytes: UnsafeRawBufferPointer) -> (seen: UInt64, afterZeros: UInt64) {
    guard let start = bytes.baseAddress else { return (0, 0) }
    let count = bytes.count
    var seen: UInt64 = 0
    var lowered: UInt64 = 0
    func take(_ position: Int) {
        let word = start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        seen |= word
        // One less in each byte: only that of a zero gets its high bit.
        lowered |= word &- 0x0101_0101_0101_0101
    }
    if count >= 8 {
        var position = 0
        while position + 16 <= count {
            take(position)
            take(position + 8)
            position += 16
        }
        if position + 8 <= count { take(position) }
        // The last word, which overlaps what was looked at, has the bytes that are left.
        take(count - 8)
    } else {
        for position in 0..<count {
            let byte = start.load(fromByteOffset: position, as: UInt8.self)
            seen |= UInt64(byte)
            lowered |= UInt64(byte &- 1)
        }
    }
    return (seen & 0x8080_8080_8080_8080, lowered & 0x8080_8080_8080_8080)
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
