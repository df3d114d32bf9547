import DBClientCore

/// A whole row of slots, as a batch has them.
struct SlotRow: SlotSource {
    let slots: UnsafePointer<Slot>

    @inline(__always)
    func slot(_ column: Int) -> Slot { slots[column] }
}
