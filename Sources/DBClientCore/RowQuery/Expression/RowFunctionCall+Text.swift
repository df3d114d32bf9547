// Text: by its Unicode scalars, and with A to Z alone raised and lowered.
extension RowFunctionCall {
    /// Returns the text with each byte mapped to another.
    static func mapped(
        _ bytes: UnsafeRawBufferPointer,
        _ arena: RowBuffer,
        _ byte: (UInt8) -> UInt8
    ) -> UnsafeRawBufferPointer {
        let target = arena.arena.pointee.allocate(bytes.count)
        for (index, source) in bytes.enumerated() {
            target.storeBytes(of: byte(source), toByteOffset: index, as: UInt8.self)
        }
        return UnsafeRawBufferPointer(start: target, count: bytes.count)
    }

    static func raised(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
    }

    /// Returns the folded text, whose bytes are in the memory of `arena`.
    static func folded(
        _ bytes: UnsafeRawBufferPointer,
        _ arena: RowBuffer
    ) -> UnsafeRawBufferPointer {
        TextFolding.withFolded(bytes) { mapped($0, arena, asciiFolded) }
    }

    /// Returns whether a text has another where the function looks for it.
    func matches(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        switch function {
        case .hasPrefix: text.starts(with: other)
        case .hasSuffix: text.suffix(other.count).elementsEqual(other)
        default: TextMatching.contains(text, other, ignoringCase: false)
        }
    }

    /// Returns the second text after the first, in the memory of `arena`.
    static func joined(
        _ left: UnsafeRawBufferPointer,
        _ right: UnsafeRawBufferPointer,
        _ arena: RowBuffer
    ) throws(DBClientError) -> UnsafeRawBufferPointer {
        let count = left.count + right.count
        guard count <= RowBuffer.maximumValueLength else {
            throw DBClientError(.invalidValue, "A value must have at most 256 MB.")
        }
        let target = arena.arena.pointee.allocate(count)
        if let start = left.baseAddress { target.copyMemory(from: start, byteCount: left.count) }
        if let start = right.baseAddress {
            (target + left.count).copyMemory(from: start, byteCount: right.count)
        }
        return UnsafeRawBufferPointer(start: target, count: count)
    }

    /// Returns how many scalars, bytes or elements a value has.
    func countOfElements(_ value: Slot) -> Int {
        switch operand {
        case .json: JSONList.count(in: value.bytes)
        case .data: value.bytes.count
        // Every scalar has one byte that does not continue another.
        default: value.bytes.count { $0 & 0xC0 != 0x80 }
        }
    }
}
