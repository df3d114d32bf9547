/// A row of which every field is absent: that at the end of a path that leads nowhere.
struct AbsentRow: SlotSource {
    func slot(_ column: Int) -> Slot { .null }
}
