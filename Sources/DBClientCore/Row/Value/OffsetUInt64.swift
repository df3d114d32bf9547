/// An unsigned integer of the whole range of `UInt64`, kept less 2^63.
///
/// Engines order signed integers, so a property of type `UInt64` refuses values over `Int64.max`. One of
/// this type keeps every value and its order, in a column that other tools see shifted: 0 is
/// -9223372036854775808 there. It can be compared, sorted, indexed and be a key, and has a smallest and
/// a largest value, but no sum.
///
/// ```swift
/// @Stored struct Block {
///     @PrimaryKey var hash: OffsetUInt64
/// }
/// try await client.find(Block.self, key: OffsetUInt64(.max))
/// ```
public struct OffsetUInt64: Hashable, Sendable {
    /// The integer as the program sees it, without the offset.
    public var value: UInt64

    /// Creates a value from an integer.
    public init(_ value: UInt64) {
        self.value = value
    }
}

extension OffsetUInt64: StorableValue {
    /// A signed integer of 64 bits.
    public static var fieldType: FieldType { Int64.fieldType }

    /// Creates one from what is stored, shifted back.
    public init(slot: Slot) throws(SlotError) {
        value = UInt64(bitPattern: try Int64(slot: slot)) ^ 1 << 63
    }

    /// Writes the integer less 2^63, which fits a signed one.
    public func store(in row: inout RowWriter) throws {
        try Int64(bitPattern: value ^ 1 << 63).store(in: &row)
    }
}

extension OffsetUInt64: Comparable {
    /// Compares the integers without their offset, which is the order of the stored ones too.
    public static func < (left: OffsetUInt64, right: OffsetUInt64) -> Bool {
        left.value < right.value
    }
}

extension OffsetUInt64: ExpressibleByIntegerLiteral {
    /// Creates a value from an integer literal.
    public init(integerLiteral value: UInt64) {
        self.init(value)
    }
}

extension OffsetUInt64: Codable {
    /// Decodes the integer without the offset.
    public init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(UInt64.self)
    }

    /// Encodes the integer without the offset.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension OffsetUInt64: CustomStringConvertible {
    /// The integer in decimal digits, without the offset.
    public var description: String { value.description }
}
