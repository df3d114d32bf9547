/// A row that is made of values, such as those of a group.
class ValuesEntry: ResultEntry, @unchecked Sendable {
    /// The values that the row is made of.
    final let values: [StorageValue]
    /// Why there is no row of them.
    final let failure: (any Error)?
    /// Whether the values come to no row, since it is filtered out.
    var isLeftOut: Bool { false }

    init(_ key: OrderKey, _ values: [StorageValue], failure: (any Error)?) {
        self.values = values
        self.failure = failure
        super.init(key)
    }

    /// Whether another entry has the same values, bit by bit.
    static func isSame(_ left: ResultEntry, _ right: ResultEntry) -> Bool {
        let left = unsafeDowncast(left, to: ValuesEntry.self).values
        let right = unsafeDowncast(right, to: ValuesEntry.self).values
        return left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                // What is no number equals nothing, itself included.
                if case (.real(let left), .real(let right)) = (left, right) {
                    return left.bitPattern == right.bitPattern
                }
                return left == right
            }
    }
}

/// An entry with the row that is made of its values; none where that failed.
final class RowEntry<Row: Sendable>: ValuesEntry, @unchecked Sendable {
    let rows: [Row]
    override var isLeftOut: Bool { rows.isEmpty && failure == nil }

    /// Makes the entry of the values of a row.
    ///
    /// - Parameters:
    ///   - key: The place in the order.
    ///   - slots: The values.
    ///   - compared: Those of them in which a row that is the same must be equal.
    ///   - decode: Appends what is made of the values.
    init(
        _ key: OrderKey,
        _ slots: UnsafeBufferPointer<Slot>,
        _ compared: Slice<UnsafeBufferPointer<Slot>>,
        _ decode: (UnsafeBufferPointer<Slot>, inout [Row]) throws -> Void
    ) {
        var rows: [Row] = []
        var failure: (any Error)?
        do {
            try decode(slots, &rows)
        } catch let error {
            failure = error
        }
        self.rows = rows
        super.init(key, compared.map { StorageValue($0) }, failure: failure)
    }
}

/// Judges whether two entries are made of the same values.
struct ValuesComparison: EntryComparison {
    func isSame(_ left: ResultEntry, _ right: ResultEntry) -> Bool {
        ValuesEntry.isSame(left, right)
    }
}
