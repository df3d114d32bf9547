import DBClientCore

/// Several values as the bytes of one constant, until the type of the array is known that the server
/// wants.
enum ValueList {
    /// Returns the values as one constant.
    static func pack(_ values: [StorageValue]) -> StorageValue {
        var writer = ByteWriter()
        for value in values {
            value.withSlot { slot in
                writer.bytes.append(slot.kind.rawValue)
                switch slot.kind {
                case .text, .data:
                    writer.put(Int64(slot.bytes.count))
                    writer.bytes.append(contentsOf: slot.bytes)
                default: writer.put(Int64(bitPattern: slot.bits))
                }
            }
        }
        return .data(writer.bytes)
    }

    /// Visits the values that were packed.
    static func visit(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (Slot) throws -> Void
    ) throws {
        var position = 0
        while position + 9 <= bytes.count {
            guard let kind = Slot.Kind(rawValue: bytes[position]) else { return }
            let word = Int64(
                bigEndian: bytes.loadUnaligned(fromByteOffset: position + 1, as: Int64.self)
            )
            position += 9
            switch kind {
            case .text, .data:
                let end = position + Int(word)
                guard end <= bytes.count else { return }
                let content = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
                try body(kind == .text ? .text(content) : .data(content))
                position = end
            default: try body(Slot(kind: kind, bits: UInt64(bitPattern: word)))
            }
        }
    }
}
