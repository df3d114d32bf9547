/// One row of a batch as a condition sees it.
struct SlotRow: SlotSource {
    private let slots: UnsafePointer<Slot>

    init(_ row: RowBatch) {
        slots = row.slots
    }

    @inline(__always)
    init(_ slots: UnsafePointer<Slot>) {
        self.slots = slots
    }

    @inline(__always)
    func slot(_ column: Int) -> Slot { slots[column] }
}
