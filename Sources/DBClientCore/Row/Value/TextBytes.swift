/// Text as bytes: the library's one meaning of equality, order and case.
///
/// Swift's own `==` and `<` are canonical (a composed letter equals its decomposed form); every
/// engine compares bytes, and so does everything here.

/// Returns the bytes with A to Z lowered.
@inlinable
package func asciiFolded(_ text: String) -> some Sequence<UInt8> {
    text.utf8.lazy.map(asciiFolded)
}

/// Returns the byte, lowered when it is A to Z.
@inlinable
@inline(__always)
package func asciiFolded(_ byte: UInt8) -> UInt8 {
    byte &- 65 < 26 ? byte | 0x20 : byte
}

/// Returns whether text is ASCII and of sixteen bytes or more: a shorter string finds out by itself.
@inlinable
@inline(__always)
func isLongASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= 16, let start = text.baseAddress else { return false }
    var marks: UInt64 = 0
    var offset = 0
    // Sixteen bytes at a time, the last of which may overlap those before.
    while offset < text.count {
        let place = start + min(offset, text.count &- 16)
        marks |= place.loadUnaligned(as: UInt64.self)
        marks |= place.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        offset &+= 16
    }
    return marks & 0x8080_8080_8080_8080 == 0
}

/// Copies text to where it stays and returns whether a NUL is in it, both in one pass where it is short.
@inline(__always)
func copyText(_ text: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Bool {
    guard let source = text.baseAddress else { return false }
    let count = text.count
    if count < 8 {
        var hasNUL = false
        for offset in 0..<count {
            let byte = source.load(fromByteOffset: offset, as: UInt8.self)
            if byte == 0 { hasNUL = true }
            target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
        return hasNUL
    }
    guard count <= 32 else {
        target.copyMemory(from: source, byteCount: count)
        return containsNUL(text)
    }
    // A word at a time, the last of which may overlap the one before it.
    var marks: UInt64 = 0
    var offset = 0
    while offset < count {
        let place = min(offset, count - 8)
        let word = source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        // The high bit of some byte stays when, and only when, a byte is zero.
        marks |= (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
        target.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
        offset += 8
    }
    return marks != 0
}

/// Returns whether a NUL is among the bytes.
func containsNUL(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return platformFindByte(0, in: start, count: bytes.count)
}
