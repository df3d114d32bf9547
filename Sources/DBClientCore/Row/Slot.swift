/// One column of one row on its way between a model and an engine: sixteen bytes, no allocation.
///
/// Text and data are borrowed, and text is valid UTF-8: the pointer is valid only as long as the code that
/// filled the slot says so, which for rows that an engine delivers is the call that delivers them.
@frozen
public struct Slot {
    /// The kind of value that a slot holds.
    @frozen
    public enum Kind: UInt8, Sendable {
        case null
        case integer
        case real
        case text
        case data
    }

    /// The integer, the bit pattern of the double, or the address of the bytes.
    public var bits: UInt64
    /// The number of bytes of text or data.
    public var length: UInt32
    /// The kind of value, which says how `bits` is read.
    public var kind: Kind

    /// Creates a slot from its parts.
    @inlinable
    @inline(__always)
    public init(kind: Kind, bits: UInt64, length: UInt32 = 0) {
        self.bits = bits
        self.length = length
        self.kind = kind
    }

    /// A slot without a value: null.
    @inlinable
    public static var null: Slot { Slot(kind: .null, bits: 0) }

    /// Creates a slot that holds an integer.
    @inlinable
    @inline(__always)
    public static func integer(_ value: Int64) -> Slot {
        Slot(kind: .integer, bits: UInt64(bitPattern: value))
    }

    /// Creates a slot that holds a double.
    @inlinable
    @inline(__always)
    public static func real(_ value: Double) -> Slot {
        Slot(kind: .real, bits: value.bitPattern)
    }

    /// Creates a slot that borrows UTF-8 text.
    @inlinable
    @inline(__always)
    public static func text(_ bytes: UnsafeRawBufferPointer) -> Slot {
        Slot(kind: .text, borrowing: bytes)
    }

    /// Creates a slot that borrows bytes of data.
    @inlinable
    @inline(__always)
    public static func data(_ bytes: UnsafeRawBufferPointer) -> Slot {
        Slot(kind: .data, borrowing: bytes)
    }

    @inlinable
    @inline(__always)
    init(kind: Kind, borrowing bytes: UnsafeRawBufferPointer) {
        self.init(
            kind: kind,
            bits: UInt64(UInt(bitPattern: bytes.baseAddress)),
            length: UInt32(truncatingIfNeeded: bytes.count)
        )
    }

    /// Whether the slot is null.
    @inlinable
    @inline(__always)
    public var isNull: Bool { kind == .null }

    /// The integer; meaningful when `kind` is `.integer`.
    @inlinable
    @inline(__always)
    public var integer: Int64 { Int64(bitPattern: bits) }

    /// The double; meaningful when `kind` is `.real`.
    @inlinable
    @inline(__always)
    public var real: Double { Double(bitPattern: bits) }

    /// A string of the borrowed text; meaningful when `kind` is `.text`.
    ///
    /// Text is valid UTF-8 before it fills a slot, so that is not checked again here. Whether it is ASCII is:
    /// a long string that does not know hashes thirty times as slowly.
    @inlinable
    @inline(__always)
    public var text: String {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let bytes = UnsafeBufferPointer(
            start: UnsafePointer<UInt8>(bitPattern: UInt(bits)),
            count: Int(length)
        )
        return String(
            copying: UTF8Span(
                unchecked: Span(_unsafeElements: bytes),
                isKnownASCII: isLongASCII(self.bytes)
            )
        )
    }

    /// The borrowed bytes; meaningful when `kind` is `.text` or `.data`.
    @inlinable
    @inline(__always)
    public var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: UInt(bits)),
            count: Int(length)
        )
    }
}
