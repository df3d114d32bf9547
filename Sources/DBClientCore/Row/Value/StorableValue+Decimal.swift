public import Foundation

extension Decimal: StorableValue {
    /// The field type `.decimal`: at most 38 significant digits, in an order-preserving form.
    public static var fieldType: FieldType { .decimal }

    /// Creates the decimal from its order-preserving form.
    public init(slot: Slot) throws(SlotError) {
        try slot.require(.data)
        guard let value = OrderedDecimal.decode(slot.bytes) else { throw .malformed }
        self = value
    }

    /// Writes the order-preserving form of the canonical value.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for NaN and over 38 significant digits.
    public func store(in row: inout RowWriter) throws {
        guard let bytes = OrderedDecimal.encode(self) else {
            throw row.invalidValue("A decimal must be a number of at most 38 significant digits.")
        }
        try bytes.withUnsafeBytes { try row.put(data: $0) }
    }
}
