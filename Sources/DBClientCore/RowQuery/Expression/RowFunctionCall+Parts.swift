import Foundation

// Parts of JSON as values of a type: what is of another is absent, as what is not there is.
extension RowFunctionCall {
    /// Returns the part of a JSON text that a path leads to.
    func part(
        _ json: UnsafeRawBufferPointer,
        _ path: UnsafeRawBufferPointer,
        _ arena: RowBuffer
    ) -> Slot {
        guard let part = JSONScanner.part(at: path, of: json), let first = part.first else {
            return .null
        }
        switch first {
        case UInt8(ascii: "\""):
            return text(UnsafeRawBufferPointer(rebasing: part[1..<part.count - 1]), arena)
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            guard type == .boolean else { return .null }
            if part.elementsEqual("true".utf8) { return .integer(1) }
            return part.elementsEqual("false".utf8) ? .integer(0) : .null
        case UInt8(ascii: "["), UInt8(ascii: "{"): return type == .json ? .text(part) : .null
        default: return number(part, arena)
        }
    }

    /// Returns what a text is written for.
    private func text(_ text: UnsafeRawBufferPointer, _ arena: RowBuffer) -> Slot {
        if type == .text, !JSONString.hasEscapes(text) { return .text(text) }
        guard type.slotKind == .text || type.slotKind == .data,
            let bytes = JSONString.decoded(text)
        else { return .null }
        switch type {
        case .text: return .text(Self.kept(bytes, arena))
        case .data:
            let data = Data(base64Encoded: String(decoding: bytes, as: UTF8.self))
            return data.map { .data(Self.kept($0, arena)) } ?? .null
        case .uuid:
            let uuid = UUID(uuidString: String(decoding: bytes, as: UTF8.self))
            guard let uuid else { return .null }
            return withUnsafeBytes(of: uuid.uuid) { .data(Self.kept($0, arena)) }
        default: return .null
        }
    }

    private func number(_ json: UnsafeRawBufferPointer, _ arena: RowBuffer) -> Slot {
        switch type {
        case .integer:
            guard let value = JSONNumber.integer(json), type.bounds?.contains(value) ?? true else {
                return .null
            }
            return .integer(value)
        case .date:
            guard let value = JSONNumber.integer(json), Date.isStorable(value) else { return .null }
            return .integer(value)
        case .double: return JSONNumber.real(json, as: Double.self).map(Slot.real) ?? .null
        case .float: return JSONNumber.real(json, as: Float.self).map(Slot.real) ?? .null
        case .decimal:
            guard JSONNumber.isNumber(json),
                let form = OrderedDecimal.encode(String(decoding: json, as: UTF8.self))
            else { return .null }
            return .data(Self.kept(form, arena))
        default: return .null
        }
    }

    /// Returns bytes in the memory of `arena`.
    static func kept(
        _ bytes: some Collection<UInt8>,
        _ arena: RowBuffer
    ) -> UnsafeRawBufferPointer {
        let target = arena.arena.pointee.allocate(bytes.count)
        let place = UnsafeMutableRawBufferPointer(start: target, count: bytes.count)
        place.copyBytes(from: bytes)
        return UnsafeRawBufferPointer(place)
    }
}
