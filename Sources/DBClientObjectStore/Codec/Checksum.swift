/// The checksum of a record: 32 bits folded from a keyed multiply-and-fold over 32-byte blocks in two
/// lanes, after the scheme of wyhash (Wang Yi, public domain).
///
/// It finds accidents (bit flips, torn pages), not forgeries. `head` is what goes before the bytes.
@inline(__always)
func checksum(_ start: UnsafeRawPointer, _ count: Int, after head: UInt32 = 0) -> UInt32 {
    var left: UInt64 =
        0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: count) ^ UInt64(head) << 32
    var right: UInt64 = 0xA076_1D64_78BD_642F
    var position = start
    var rest = count
    while rest >= 32 {
        left = fold(load(position) ^ left, load(position + 8) ^ 0xE703_7ED1_A0B4_28DB)
        right = fold(load(position + 16) ^ right, load(position + 24) ^ 0x8EBC_6AF0_9C88_C6E3)
        position += 32
        rest -= 32
    }
    if rest >= 16 {
        left = fold(load(position) ^ left, load(position + 8) ^ 0xE703_7ED1_A0B4_28DB)
        position += 16
        rest -= 16
    }
    var last: UInt64 = 0
    var high: UInt64 = 0
    if rest >= 8 {
        // Two overlapping words cover eight to fifteen bytes.
        last = load(position)
        high = load(position + rest - 8)
    } else if rest >= 4 {
        last = UInt64(position.loadUnaligned(as: UInt32.self))
        high = UInt64((position + rest - 4).loadUnaligned(as: UInt32.self))
    } else {
        for index in 0..<rest {
            last |= UInt64(position.load(fromByteOffset: index, as: UInt8.self)) << (8 * index)
        }
    }
    right = fold(last ^ right, high ^ 0x5899_65CC_7537_4CC3)
    let folded = fold(left ^ 0x1D8E_4E27_C47D_124F, right)
    return UInt32(truncatingIfNeeded: folded ^ folded >> 32)
}

@inline(__always)
private func load(_ pointer: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: pointer.loadUnaligned(as: UInt64.self))
}

/// The two halves of the full product, one over the other.
@inline(__always)
private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
}
