import CLMDB
import DBClientCore

/// Keys whose bytes compare as their values do.
///
/// `Documentation/FileFormat.md` has the format.
///
/// An integer is eight bytes, big-endian, with the sign bit flipped. A double is its bit pattern,
/// big-endian, with the sign bit flipped when positive and every bit when negative. Text is its UTF-8
/// and a zero byte. Data has each zero byte followed by 0xFF, and ends with two zero bytes. A UUID and
/// a decimal are themselves. In an index each value follows a byte: 0 for nil, which nothing
/// follows, and 1 for a value.
struct KeyWriter {
    private(set) var start: UnsafeMutableRawPointer
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 512) {
        start = .allocate(byteCount: capacity, alignment: 8)
        self.capacity = capacity
    }

    func deallocate() {
        start.deallocate()
    }

    /// The bytes written, valid until the writer is changed.
    @inline(__always)
    var value: MDB_val { MDB_val(start, count) }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    @inline(__always)
    mutating func removeAll() {
        count = 0
    }

    /// Shortens the key to its first bytes.
    mutating func truncate(to length: Int) {
        count = min(count, length)
    }

    @inline(__always)
    mutating func append(byte: UInt8) {
        reserve(1)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    mutating func append(word: UInt64) {
        reserve(8)
        start.storeBytes(of: word.bigEndian, toByteOffset: count, as: UInt64.self)
        count += 8
    }

    /// Makes the key a lone integer in the form that LMDB compares as a number: the machine's own
    /// byte order, sign bit flipped.
    @inline(__always)
    mutating func set(integer: UInt64) {
        start.storeBytes(of: integer ^ 1 << 63, as: UInt64.self)
        count = 8
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let source = bytes.baseAddress {
            (start + count).copyMemory(from: source, byteCount: bytes.count)
        }
        count += bytes.count
    }

    /// Appends a value of an index: a byte that says whether it is there, then the value.
    @inline(__always)
    mutating func append(indexed slot: Slot, isFixed: Bool) {
        append(byte: slot.isNull ? 0 : 1)
        if !slot.isNull { append(slot, isFixed: isFixed) }
    }

    /// Appends a value.
    ///
    /// `isFixed` says that data needs no end: a UUID or a decimal.
    @inline(__always)
    mutating func append(_ slot: Slot, isFixed: Bool) {
        switch slot.kind {
        case .null: break
        case .integer: append(word: slot.bits ^ 1 << 63)
        case .real:
            append(word: slot.bits >> 63 == 0 ? slot.bits ^ 1 << 63 : ~slot.bits)
        case .text:
            append(slot.bytes)
            append(byte: 0)
        case .data where isFixed: append(slot.bytes)
        case .data:
            for byte in slot.bytes {
                append(byte: byte)
                if byte == 0 { append(byte: 0xFF) }
            }
            append(byte: 0)
            append(byte: 0)
        }
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }
}
