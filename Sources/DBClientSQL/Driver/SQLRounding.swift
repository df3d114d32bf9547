public import DBClientCore
import Foundation

/// What a column cannot keep of a field's values, so that they are rounded before they are written: observers and
/// callers get what is stored.
public enum SQLRounding: Hashable, Sendable {
    /// Points in time, to a multiple of so many microseconds; half of one away from 1970.
    case instants(Int64)
    /// Points in time, to the beginning of their day in UTC.
    case days
    /// Numbers, to so many digits after the point; half of the last one away from zero.
    case decimals(Int)
    /// Doubles, rounded to the nearest float.
    case singles
    /// Texts, which lose the blanks at their end.
    case trimmed
    /// Texts that are numbers, which the column would keep as numbers: they are refused.
    case noNumbers
    /// Values of a field that the column keeps in a format, to what that keeps.
    case format(ColumnFormat)
}

extension SQLRounding {
    /// Returns what is kept of a value, with bytes that a buffer owns; nil where that is the value itself.
    func rounded(_ slot: Slot, in buffer: RowBuffer) -> Slot? {
        switch (self, slot.kind) {
        case (.instants(let step), .integer):
            let remainder = slot.integer % step
            if remainder == 0 { return nil }
            let isUp = abs(remainder) * 2 >= step
            let (rounded, overflows) = (slot.integer - remainder)
                .addingReportingOverflow(isUp ? step * remainder.signum() : 0)
            // Beyond the last point in time there is none that it could be rounded to.
            return .integer(overflows ? slot.integer - remainder : rounded)
        case (.days, .integer):
            let day: Int64 = 86_400_000_000
            let remainder = slot.integer % day
            if remainder == 0 { return nil }
            return .integer(slot.integer - (remainder < 0 ? remainder + day : remainder))
        case (.decimals(let count), .data):
            guard let number = OrderedDecimal.decode(slot.bytes) else { return nil }
            let rounded = number.rounded(to: count)
            guard rounded != number, let bytes = OrderedDecimal.encode(rounded) else { return nil }
            return .data(bytes.withUnsafeBytes { buffer.copy($0) })
        case (.decimals(let count), .real):
            guard let number = Decimal(string: "\(slot.real)") else {
                // It has fewer digits before the point than a decimal, or more, which the column refuses.
                return abs(slot.real) < 1 ? .real(0) : nil
            }
            guard let rounded = Double("\(number.rounded(to: count))"), rounded != slot.real
            else {
                return nil
            }
            return .real(rounded)
        case (.singles, .real):
            let single = Double(Float(slot.real))
            // What a float cannot be near to is refused by the column.
            let isOutside = single.isInfinite || single == 0
            return single == slot.real || isOutside ? nil : .real(single)
        case (.trimmed, .text):
            let count = slot.bytes.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            if count == 0 { return nil }
            return .text(UnsafeRawBufferPointer(rebasing: slot.bytes.dropLast(count)))
        default: return nil
        }
    }
}

extension TableSQL {
    /// Rounds values of rows to what the columns keep of them.
    ///
    /// - Parameters:
    ///   - rows: The rows, with room for every field; they are changed in place.
    ///   - fields: The fields that are written.
    ///   - buffer: Owns the bytes of what is rounded.
    /// - Returns: Whether any value was changed.
    /// - Throws: `.invalidValue` for a value of the primary key or of a unique index that would be another one.
    func round(_ rows: RowBatch, _ fields: some Sequence<Int>, in buffer: RowBuffer) throws -> Bool
    {
        var isChanged = false
        for field in fields {
            guard let rounding = forms[field].rounding else { continue }
            for row in 0..<rows.count {
                if rounding == .noNumbers { try checkNoNumber(rows[row, field], field) }
                let slots = UnsafeMutablePointer(mutating: rows.slots)
                let place = slots + row * rows.columnCount + field
                if case .format(let format) = rounding {
                    let value = try format.rounded(place.pointee, of: field, in: entity)
                    guard let value else { continue }
                    place.pointee = value.slot(in: buffer)
                    isChanged = true
                    continue
                }
                guard let value = rounding.rounded(rows[row, field], in: buffer) else { continue }
                if entity.identifiesRows(by: field) {
                    throw DBClientError(
                        .invalidValue,
                        "A value that identifies a row must be kept as it is, which its column cannot do.",
                        entity: entity.name,
                        field: entity.fields[field].name,
                        hint:
                            "Round it before it is written, or declare the column with more digits."
                    )
                }
                place.pointee = value
                isChanged = true
            }
        }
        return isChanged
    }

    private func checkNoNumber(_ slot: Slot, _ field: Int) throws {
        guard slot.kind == .text,
            Double(slot.text.trimmingCharacters(in: .whitespacesAndNewlines)) != nil
        else { return }
        throw DBClientError(
            .invalidValue,
            "A text in a column of this type must not be a number, which the database would make of it.",
            entity: entity.name,
            field: entity.fields[field].name,
            hint: "Declare the column as TEXT."
        )
    }
}
