/// The rows of an observed request for fields or groups at one moment: a collection that never changes.
///
/// Holding one is cheap, however many changes follow: versions share what they have in common. A row is found in a time
/// that grows with the logarithm of the count.
public struct SelectedRows<Row: Sendable>: RandomAccessCollection, Sendable {
    private let version: ResultVersion

    init(_ version: ResultVersion) {
        self.version = version
    }

    /// The position of the first row, always zero.
    public var startIndex: Int { 0 }
    /// The position after the last row, which is the number of rows.
    public var endIndex: Int { version.range.count }

    /// The row at a position.
    public subscript(position: Int) -> Row {
        precondition(
            position >= 0 && position < version.range.count,
            "The position must be within the collection."
        )
        let entry = version.tree[version.range.lowerBound + position]
        // What has no row is never shown.
        return unsafeDowncast(entry, to: RowEntry<Row>.self).rows[0]
    }
}

extension SelectedRows: Equatable where Row: Equatable {
    /// Returns whether both have equal rows in the same order.
    public static func == (left: SelectedRows, right: SelectedRows) -> Bool {
        left.version === right.version || left.elementsEqual(right)
    }
}

extension SelectedRows: CustomStringConvertible {
    /// The rows, as an array describes them.
    public var description: String { Array(self).description }
}
