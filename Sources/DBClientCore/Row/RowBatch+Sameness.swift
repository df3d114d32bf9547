extension RowBatch {
    /// Whether two rows hold the same in some fields.
    func isSame(_ other: RowBatch, in columns: [Int]) -> Bool {
        columns.allSatisfy { Slot.compare(self[0, $0], other[0, $0]) == 0 }
    }
}
