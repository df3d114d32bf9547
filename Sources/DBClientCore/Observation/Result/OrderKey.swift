/// The place of a row in the order of a result, as bytes: their order is the order of the rows.
///
/// The fields of the sort come first, those of the primary key last, so the end of the bytes is the
/// row's identity.
struct OrderKey: Comparable, Sendable {
    let bytes: [UInt8]
    /// The position in ``bytes`` at which the primary key begins.
    let identityStart: Int

    /// The bytes of the primary key.
    var identity: ArraySlice<UInt8> { bytes[identityStart...] }

    static func == (left: OrderKey, right: OrderKey) -> Bool {
        left.compare(right) == 0
    }

    static func < (left: OrderKey, right: OrderKey) -> Bool {
        left.compare(right) < 0
    }

    /// The first eight bytes as a number: of two keys whose prefixes differ, it decides.
    var prefix: UInt64 {
        bytes.withUnsafeBytes { bytes in
            if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
            var prefix: UInt64 = 0
            for index in 0..<8 {
                prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
            }
            return prefix
        }
    }

    /// Returns the order of two keys: negative, zero or positive.
    @inline(__always)
    func compare(_ other: OrderKey) -> Int {
        bytes.withUnsafeBytes { left in
            other.bytes.withUnsafeBytes { right in compareBytes(left, right) }
        }
    }
}

extension OrderKey {
    /// Returns the identity of a row by the columns that have its primary key.
    static func identity(of batch: RowBatch, _ row: Int, _ columns: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 * columns.count)
        appendIdentity(of: batch, row, columns, to: &bytes)
        return bytes
    }

    fileprivate static func appendIdentity(
        of batch: RowBatch,
        _ row: Int,
        _ columns: [Int],
        to bytes: inout [UInt8]
    ) {
        for column in columns { append(batch[row, column], to: &bytes) }
    }

    /// Appends the bytes of a slot, which are different for different slots.
    static func append(_ slot: Slot, to bytes: inout [UInt8]) {
        OrderKeyEncoder.append(slot, by: RowOrdering(column: 0), to: &bytes)
    }

    /// Returns the primary keys that identities stand for.
    static func primaryKeys(
        of identities: some Collection<ArraySlice<UInt8>>,
        _ entity: EntitySchema
    ) -> RowBuffer {
        let keys = RowBuffer(entity, columns: entity.primaryKey, capacity: identities.count)
        for identity in identities {
            var bytes = identity
            let values = entity.primaryKey.map { column in
                takeValue(entity.fields[column].type.slotKind, from: &bytes)
            }
            keys.append { values[$0].slot(in: keys) }
        }
        return keys
    }

    /// Decodes and removes one value that `append(_:to:)` has encoded.
    private static func takeValue(
        _ kind: Slot.Kind,
        from bytes: inout ArraySlice<UInt8>
    ) -> StorageValue {
        guard bytes.popFirst() == 1 else { return .null }
        switch kind {
        case .null: return .null
        case .integer: return .integer(Int64(bitPattern: takeNumber(from: &bytes) ^ 1 << 63))
        case .real:
            let bits = takeNumber(from: &bytes)
            return .real(Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits))
        case .text:
            let text = bytes.prefix { $0 != 0 }
            bytes = bytes[text.endIndex...].dropFirst()
            return .text(String(decoding: text, as: UTF8.self))
        case .data:
            var data: [UInt8] = []
            while let byte = bytes.popFirst() {
                if byte == 0, bytes.popFirst() == 0 { break }
                data.append(byte)
            }
            return .data(data)
        }
    }

    private static func takeNumber(from bytes: inout ArraySlice<UInt8>) -> UInt64 {
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Makes the order keys of a query's rows.
struct OrderKeyEncoder: Sendable {
    private let orderings: [RowOrdering]
    private let primaryKey: [Int]

    /// Creates an encoder for a query's total order.
    init(_ query: RowQuery) {
        // A sort by the primary key alone is the identity's own order.
        orderings = query.isInKeyOrder ? [] : query.orderings
        primaryKey = query.entity.primaryKey
    }

    /// Whether the place of a row depends on its own fields alone.
    var isOwn: Bool { orderings.allSatisfy(\.isOwnField) }

    /// Returns the key of a row whose place depends on its own fields alone.
    func key(of batch: RowBatch, row: Int = 0) -> OrderKey {
        key(of: batch, row) { batch[row, $0.column] }
    }

    /// Returns the keys of rows, whose places may depend on rows that they lead to, or be computed.
    func keys(of rows: RowBuffer, in reader: any EngineReader) throws -> [OrderKey] {
        let related = try orderings.map { ordering in
            ordering.isOwnField ? nil : try RelatedColumn(ordering, of: rows, in: reader)
        }
        return rows.withBatch { batch in
            (0..<batch.count).map { row in
                var next = 0
                return key(of: batch, row) { ordering in
                    defer { next += 1 }
                    return related[next]?.slot(row) ?? batch[row, ordering.column]
                }
            }
        }
    }

    @inline(__always)
    private func key(
        of batch: RowBatch,
        _ row: Int,
        _ slot: (RowOrdering) -> Slot
    ) -> OrderKey {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 * (orderings.count + primaryKey.count))
        for ordering in orderings { Self.append(slot(ordering), by: ordering, to: &bytes) }
        let start = bytes.count
        OrderKey.appendIdentity(of: batch, row, primaryKey, to: &bytes)
        return OrderKey(bytes: bytes, identityStart: start)
    }

    static func append(_ slot: Slot, by ordering: RowOrdering, to bytes: inout [UInt8]) {
        // Between the two places where nil may stand.
        if slot.isNull { return bytes.append(ordering.nilsFirst ? 0 : 2) }
        bytes.append(1)
        let start = bytes.count
        switch slot.kind {
        case .null: break
        case .integer: append(UInt64(bitPattern: slot.integer) ^ 1 << 63, to: &bytes)
        case .real:
            let bits = slot.real.bitPattern
            append(bits >> 63 == 0 ? bits | 1 << 63 : ~bits, to: &bytes)
        case .text where ordering.text == .caseInsensitive:
            for byte in slot.bytes { bytes.append(asciiFolded(byte)) }
            bytes.append(0)
        case .text where ordering.text == .natural:
            NaturalOrder.appendKey(of: slot.bytes, to: &bytes)
            bytes.append(0)
        case .text:
            // Stored text has no NUL, so one ends it before every longer text.
            bytes.append(contentsOf: slot.bytes)
            bytes.append(0)
        case .data:
            for byte in slot.bytes {
                bytes.append(byte)
                if byte == 0 { bytes.append(0xFF) }
            }
            bytes.append(0)
            bytes.append(0)
        }
        if ordering.isDescending {
            for index in start..<bytes.count { bytes[index] = ~bytes[index] }
        }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
