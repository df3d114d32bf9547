/// Rows found by the fields that must be equal.
final class JoinTable {
    let rows: RowBuffer
    /// The values that are looked for.
    let probe: UnsafeMutablePointer<Slot>
    private let groups: GroupTable
    private var firsts: [Int32] = []
    private var nexts: [Int32] = []

    init(_ rows: RowBuffer, keys: [Int]) {
        self.rows = rows
        probe = .allocate(capacity: max(keys.count, 1))
        probe.initialize(repeating: .null, count: max(keys.count, 1))
        groups = GroupTable(rows.entity, Array(keys.indices))
        if keys.isEmpty { return }
        var lasts: [Int32] = []
        nexts = [Int32](repeating: -1, count: rows.count)
        rows.withBatch { batch in
            for row in 0..<batch.count {
                for (index, key) in keys.enumerated() { probe[index] = batch[row, key] }
                let group = groups.find(probe)
                if group == firsts.count {
                    firsts.append(Int32(row))
                    lasts.append(Int32(row))
                } else {
                    nexts[Int(lasts[group])] = Int32(row)
                    lasts[group] = Int32(row)
                }
            }
        }
    }

    deinit {
        probe.deallocate()
    }

    /// Returns the first row with the values that are looked for.
    func first() -> Int? { groups.position(of: probe).map { Int(firsts[$0]) } }

    /// Returns the row after one with the same values.
    func next(_ row: Int) -> Int? { nexts[row] < 0 ? nil : Int(nexts[row]) }
}
