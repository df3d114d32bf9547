/// Compares rows by the keys of a sort, over slots.
public struct RowComparator {
    /// The keys of the sort, most significant first.
    public let orderings: [RowOrdering]

    /// Creates a comparator that sorts by keys, most significant first.
    public init(_ orderings: [RowOrdering]) {
        self.orderings = orderings
    }

    /// Returns the order of two rows, each given by the slots of the sort's fields in sort order:
    /// negative, zero or positive.
    @inlinable
    public func compare(_ left: UnsafePointer<Slot>, _ right: UnsafePointer<Slot>) -> Int {
        for index in orderings.indices {
            let order = compare(left[index], right[index], by: index)
            if order != 0 { return order }
        }
        return 0
    }

    /// Returns the order of two slots by one of the keys.
    @inlinable
    public func compare(_ left: Slot, _ right: Slot, by index: Int) -> Int {
        let isDescending = orderings[index].isDescending
        if left.isNull || right.isNull {
            if left.kind == right.kind { return 0 }
            return left.isNull == orderings[index].nilsFirst ? -1 : 1
        }
        let order =
            orderings[index].text == .binary
            ? Slot.compare(left, right) : orderings[index].text.compare(left.bytes, right.bytes)
        return isDescending ? -order : order
    }
}
