import DBClientCore
import DBClientSQL
import Foundation

extension WrittenField {
    /// Whether a stored value is one of those that the column was written with.
    ///
    /// What a type of the program's own makes of it, such as an enum of raw values, is not known here.
    func isWritten(_ slot: Slot) -> Bool {
        if slot.isNull { return isOptional }
        guard let type = form.type else { return true }
        if let format = form.format {
            guard let value = format.value(ofStored: slot) else { return false }
            return value.withSlot { isWritten($0, type) }
        }
        return isWritten(slot, type)
    }

    private func isWritten(_ slot: Slot, _ type: FieldType) -> Bool {
        switch type {
        case .boolean: return isValue(Bool.self, slot)
        case .integer(let bits, let isSigned): return isInteger(bits, isSigned, slot)
        case .double: return slot.kind == .integer || isValue(Double.self, slot)
        case .float: return slot.kind == .integer || isValue(Float.self, slot)
        case .text: return slot.kind == .text && slot.bytes.isStoredText
        case .data: return slot.kind == .data
        case .date: return isValue(Date.self, slot)
        case .uuid: return isValue(UUID.self, slot)
        case .decimal: return isValue(Decimal.self, slot)
        case .url: return isValue(URL.self, slot)
        case .json:
            guard slot.kind == .text, slot.bytes.isStoredText else { return false }
            let text = Data(slot.bytes)
            let value = try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)
            return value != nil
        }
    }

    private func isInteger(_ bits: Int, _ isSigned: Bool, _ slot: Slot) -> Bool {
        switch (bits, isSigned) {
        case (8, true): return isValue(Int8.self, slot)
        case (16, true): return isValue(Int16.self, slot)
        case (32, true): return isValue(Int32.self, slot)
        case (8, false): return isValue(UInt8.self, slot)
        case (16, false): return isValue(UInt16.self, slot)
        case (32, false): return isValue(UInt32.self, slot)
        case (_, false): return isValue(UInt64.self, slot)
        default: return isValue(Int64.self, slot)
        }
    }

    private func isValue<Value: StorableValue>(_ type: Value.Type, _ slot: Slot) -> Bool {
        (try? Value(slot: slot)) != nil
    }
}
