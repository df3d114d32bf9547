import DBClientCore

/// In what columns a statement returns an exact sum of integers.
///
/// A sum of decimals has one column, with the digits or with the form in which decimals are stored.
public enum SQLIntegerSum: Sendable {
    /// One column: the digits, as text.
    case digits
    /// Two columns: the sums of the upper 32 bits, shifted right, and of the lower 32 bits, neither of which overflows
    /// before the 2^31st row. A comparable sum has the upper half with the carry, then the rest of the lower one.
    case halves
}

extension SQLIntegerSum {
    /// Returns how many columns an exact sum of values of a type has.
    func width(of type: FieldType) -> Int {
        self == .halves && type != .decimal ? 2 : 1
    }

    /// Returns the exact sum from its columns; nil when it leaves the range of `Int64` or of `Decimal`, null when
    /// there was no row.
    func sum(_ slots: UnsafeBufferPointer<Slot>, of type: FieldType) -> StorageValue? {
        if slots[0].isNull { return .null }
        if type == .decimal { return Self.decimal(slots[0]) }
        guard self == .halves else { return Int64(slots[0].text).map { .integer($0) } }
        // At most 63 bits each, so the carry out of the lower half cannot overflow either.
        let low = slots[1].integer
        let (high, hasOverflown) = slots[0].integer.addingReportingOverflow(low >> 32)
        guard !hasOverflown, let high = Int32(exactly: high) else { return nil }
        return .integer(Int64(high) << 32 | low & 0xFFFF_FFFF)
    }

    private static func decimal(_ slot: Slot) -> StorageValue? {
        if slot.kind == .text { return OrderedDecimal.encode(slot.text).map { .data($0) } }
        return OrderedDecimal.isForm(slot.bytes) ? StorageValue(slot) : nil
    }

    /// Returns the constants with which the columns of a comparable sum are compared.
    func constants(_ sum: StorageValue) -> [StorageValue] {
        guard self == .halves, case .integer(let sum) = sum else { return [sum] }
        return [.integer(sum >> 32), .integer(sum & 0xFFFF_FFFF)]
    }
}
