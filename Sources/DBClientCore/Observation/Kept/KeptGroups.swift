/// The groups of a query's rows, as rows that come and go change them: confined to the hub once they are read.
final class KeptGroups: KeptState, @unchecked Sendable {
    /// What is kept of one group.
    private final class Group {
        var rows = 0
        var sums: [RemovableSum]
        var extremes: [KeptExtreme]
        var different: [[StorageValue: Int]]
        /// What was made of it last; nil while it is not shown.
        var entry: ResultEntry?
        var isDirty = false

        init(_ shape: GroupShape) {
            sums = Array(repeating: RemovableSum(), count: shape.summed.count)
            extremes = shape.extremes.map { KeptExtreme(isGreatest: $0.isGreatest) }
            different = Array(repeating: [:], count: shape.counted.count)
        }
    }

    let shape: GroupShape
    private var table: GroupTable
    private var groups: [Group] = []
    /// The groups that rows were added to or taken from since they were last asked for.
    private var dirty: [Int] = []
    private var emptyCount = 0
    private let keys: UnsafeMutablePointer<Slot>
    private let arena: RowBuffer

    /// Reads the rows of the grouping's query.
    init(_ shape: GroupShape, in reader: any EngineReader) throws {
        self.shape = shape
        let entity = shape.grouping.query.entity
        table = GroupTable(entity, Array(shape.keys.indices))
        keys = .allocate(capacity: max(shape.keys.count, 1))
        keys.initialize(repeating: .null, count: max(shape.keys.count, 1))
        arena = RowBuffer(entity, columns: [])
        let columns = shape.columns
        var places = Array(repeating: 0, count: entity.fields.count)
        for (place, column) in columns.enumerated() { places[column] = place }
        try reader.select(columns, of: shape.grouping.query) { batch in
            for row in 0..<batch.count {
                add(SelectedRow(batch: batch, row: row, places: places), 1)
            }
            return true
        }
    }

    deinit {
        keys.deallocate()
    }

    /// A row of some fields, found by their positions in the entity.
    private struct SelectedRow: SlotSource {
        let batch: RowBatch
        let row: Int
        let places: [Int]

        func slot(_ column: Int) -> Slot { batch[row, places[column]] }
    }

    // MARK: Rows

    var hasChanged: Bool { !dirty.isEmpty }

    func take(before: RowBatch?, after: RowBatch?) -> Bool {
        if let before, let after,
            shape.columns.allSatisfy({ Slot.compare(before[0, $0], after[0, $0]) == 0 })
        {
            return true
        }
        if let before { add(SlotRow(before), -1) }
        if let after { add(SlotRow(after), 1) }
        return true
    }

    private func add(_ row: some SlotSource, _ weight: Int) {
        for (index, column) in shape.keys.enumerated() { keys[index] = row.slot(column) }
        let place = table.find(keys)
        if place == groups.count {
            groups.append(Group(shape))
            emptyCount += 1
        }
        let group = groups[place]
        if group.rows == 0 { emptyCount -= 1 }
        group.rows += weight
        if group.rows == 0 { emptyCount += 1 }
        if !group.isDirty {
            group.isDirty = true
            dirty.append(place)
        }
        for (index, column) in shape.summed.enumerated() {
            if weight > 0 {
                group.sums[index].add(row.slot(column))
            } else {
                group.sums[index].remove(row.slot(column))
            }
        }
        for (index, extreme) in shape.extremes.enumerated() {
            if weight > 0 {
                group.extremes[index].add(row.slot(extreme.column))
            } else {
                group.extremes[index].remove(row.slot(extreme.column))
            }
        }
        for (index, column) in shape.counted.enumerated() {
            let slot = row.slot(column)
            if slot.isNull { continue }
            let value = StorageValue(slot)
            let count = group.different[index][value, default: 0] + weight
            group.different[index][value] = count == 0 ? nil : count
        }
    }

    // MARK: Groups

    /// Visits the groups that have changed since they were last visited, all of them the first time: the entry that was
    /// made of a group, and the one that `make` makes of its keys and terms, if it is still there and fulfils the
    /// condition.
    ///
    /// - Throws: `.invalidValue` when a sum leaves its range.
    func visitChanges(
        _ make: (UnsafeBufferPointer<Slot>, RowBuffer) -> ResultEntry,
        _ visit: (_ old: ResultEntry?, _ new: ResultEntry?) -> Void
    ) throws {
        for place in dirty {
            let group = groups[place]
            let new = try entry(of: group, place, make)
            let old = group.entry
            group.entry = new
            group.isDirty = false
            if old != nil || new != nil { visit(old, new) }
        }
        dirty = []
        if emptyCount > 256, emptyCount > groups.count / 2 { compact() }
    }

    private func entry(
        of group: Group,
        _ place: Int,
        _ make: (UnsafeBufferPointer<Slot>, RowBuffer) -> ResultEntry
    ) throws -> ResultEntry? {
        guard group.rows != 0 else { return nil }
        let grouping = shape.grouping
        let width = shape.keys.count
        arena.removeAll()
        var slots = (0..<width).map { table.key(place, $0) }
        for (term, source) in zip(shape.terms, shape.sources) {
            let value: StorageValue =
                switch source {
                case .rows: .integer(Int64(group.rows))
                case .sum(let function, let index):
                    try group.sums[index]
                        .result(function, grouping.query.entity, term.operand?.column ?? 0)
                case .extreme(let index): group.extremes[index].value()
                case .different(let index): .integer(Int64(group.different[index].count))
                }
            slots.append(value.slot(in: arena))
        }
        let isWanted = grouping.condition.holds { term in
            shape.terms.firstIndex(of: term).map { slots[width + $0] } ?? .null
        }
        guard isWanted else { return nil }
        return slots.withUnsafeBufferPointer {
            make(UnsafeBufferPointer(rebasing: $0[..<(width + grouping.terms.count)]), arena)
        }
    }

    /// Lets go of groups without rows, whose keys the table would keep for ever.
    private func compact() {
        let kept = GroupTable(shape.grouping.query.entity, Array(shape.keys.indices))
        var left: [Group] = []
        for (place, group) in groups.enumerated() where group.rows != 0 {
            for index in shape.keys.indices { keys[index] = table.key(place, index) }
            _ = kept.find(keys)
            left.append(group)
        }
        table = kept
        groups = left
        emptyCount = 0
    }
}
