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

/// Returns whether a NUL is among the bytes.
func containsNUL(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return platformFindByte(0, in: start, count: bytes.count)
}
