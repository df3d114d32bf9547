/// Primary keys in the order of a request, in little memory.
///
/// A key with text or data takes the bytes of it and 4 more, and 4 for each such part but the last; the
/// keys of other types stay values, whose memory is their own size, such as 8 bytes for an integer and 16
/// for a UUID.
@usableFromInline
struct PackedKeys<Key: PrimaryKeyValue> {
    /// The keys that take no memory but their own; empty where they are packed.
    @usableFromInline var values: [Key] = []
    @usableFromInline let isPacked: Bool
    private let entity: EntitySchema?
    private let kinds: [Slot.Kind]
    private var bytes: [UInt8] = []
    /// The offset in `bytes` after each packed key.
    @usableFromInline var ends: [UInt32] = []

    init() {
        isPacked = false
        entity = nil
        kinds = []
    }

    /// No keys of an entity yet.
    init(of entity: EntitySchema) {
        let types = entity.primaryKey.map { entity.fields[$0].type }
        self.entity = entity
        kinds = types.map(\.slotKind)
        isPacked = types.contains { $0 != .uuid && ($0.slotKind == .text || $0.slotKind == .data) }
    }

    /// The number of keys, packed or not.
    @inlinable
    var count: Int { isPacked ? ends.count : values.count }

    /// The memory that the keys take, in bytes.
    var memory: Int {
        values.capacity * MemoryLayout<Key>.stride + bytes.capacity
            + ends.capacity * MemoryLayout<UInt32>.stride
    }

    /// The key at a position, decoded where it is packed.
    @inlinable
    subscript(index: Int) -> Key {
        get throws { isPacked ? try unpacked(index) : values[index] }
    }

    /// The keys at the positions of a range, decoded where they are packed.
    subscript(range: Range<Int>) -> [Key] {
        get throws { isPacked ? try range.map { try unpacked($0) } : Array(values[range]) }
    }

    /// Appends the keys of a batch, which has their columns.
    mutating func append(_ batch: RowBatch) throws {
        guard isPacked else { return try Key.decode(batch, appendingTo: &values) }
        if ends.isEmpty { ends.reserveCapacity(batch.expectedCount) }
        for row in 0..<batch.count {
            for column in kinds.indices {
                let slot = batch[row, column]
                guard slot.kind == .text || slot.kind == .data else {
                    append(slot.bits)
                    continue
                }
                if column < kinds.count - 1 { append(slot.length) }
                bytes.append(contentsOf: slot.bytes)
            }
            guard let end = UInt32(exactly: bytes.count) else {
                throw DBClientError(
                    .unsupported,
                    "The keys of the results must take at most 4 GB.",
                    entity: entity?.name,
                    hint: "Read the results in pages."
                )
            }
            ends.append(end)
        }
    }

    /// Gives back the memory into which more keys could have come.
    mutating func shrink() {
        values = values.fitted()
        bytes = bytes.fitted()
        ends = ends.fitted()
    }

    /// Returns whether there are the same keys in the same order.
    func isEqual(to other: PackedKeys) -> Bool {
        isPacked == other.isPacked && values == other.values && ends == other.ends
            && bytes == other.bytes
    }

    @usableFromInline
    func unpacked(_ index: Int) throws -> Key {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        let end = Int(ends[index])
        var keys: [Key] = []
        try bytes.withUnsafeBytes { bytes in
            var next = start
            let slots = kinds.indices.map { column in
                let kind = kinds[column]
                guard kind == .text || kind == .data else {
                    defer { next += 8 }
                    return Slot(
                        kind: kind,
                        bits: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)
                    )
                }
                var length = end - next
                if column < kinds.count - 1 {
                    length = Int(bytes.loadUnaligned(fromByteOffset: next, as: UInt32.self))
                    next += 4
                }
                defer { next += length }
                let part = UnsafeRawBufferPointer(rebasing: bytes[next..<next + length])
                return kind == .text ? Slot.text(part) : Slot.data(part)
            }
            try slots.withUnsafeBufferPointer { slots in
                guard let first = slots.baseAddress, let entity else { return }
                let row = RowBatch(
                    slots: first,
                    columnCount: slots.count,
                    count: 1,
                    entity: entity
                )
                try Key.decode(row, appendingTo: &keys)
            }
        }
        guard let key = keys.first else {
            throw DBClientError(.decoding, "A key must have a part.", entity: entity?.name)
        }
        return key
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}

extension Array {
    /// Returns the array without room for more elements, where that is more than an eighth.
    fileprivate func fitted() -> [Element] {
        if capacity <= count * 9 / 8 { return self }
        // An array of all of a slice would be the same memory.
        return withUnsafeBufferPointer { Array($0) }
    }
}
