/// The place of a row in the order of a result, as bytes: their order is the order of the rows.
///
/// The fields of the sort come first, those of the primary key last, so the end of the bytes is the
/// row's identity.
struct OrderKey: Comparable, Sendable {
    let bytes: [UInt8]
    /// Where the primary key begins.
    let identityStart: Int

    /// The bytes of the primary key.
    var identity: ArraySlice<UInt8> { bytes[identityStart...] }

    static func == (left: OrderKey, right: OrderKey) -> Bool {
        left.compare(right) == 0
    }

    static func < (left: OrderKey, right: OrderKey) -> Bool {
        left.compare(right) < 0
    }

    /// Returns the order of two keys: negative, zero or positive.
    @inline(__always)
    func compare(_ other: OrderKey) -> Int {
        bytes.withUnsafeBytes { left in
            other.bytes.withUnsafeBytes { right in compareBytes(left, right) }
        }
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

    /// Returns the key of a row.
    func key(of batch: RowBatch, row: Int = 0) -> OrderKey {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16 * (orderings.count + primaryKey.count))
        for ordering in orderings {
            Self.append(batch[row, ordering.column], by: ordering, to: &bytes)
        }
        let start = bytes.count
        for column in primaryKey {
            Self.append(batch[row, column], by: RowOrdering(column: column), to: &bytes)
        }
        return OrderKey(bytes: bytes, identityStart: start)
    }

    private static func append(_ slot: Slot, by ordering: RowOrdering, to bytes: inout [UInt8]) {
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
