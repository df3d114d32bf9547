/// The groups of a query's rows, as rows that come and go change them: confined to the hub once they are read.
final class KeptGroups: KeptEntries, @unchecked Sendable {
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
    private let derived: DerivedColumns
    /// How many rows have no value of what is computed of them, and why one of them has none.
    private var failures = (count: 0, last: DBClientError?.none)
    /// Where the rows come from.
    private let node: RowNode
    private let make: (UnsafeBufferPointer<Slot>, RowBuffer) -> ResultEntry

    /// Reads the rows of the grouping's query.
    ///
    /// - Parameters:
    ///   - shape: The groups.
    ///   - reader: The snapshot that the rows are read in.
    ///   - make: Makes the entry of a group of its keys and terms.
    /// - Throws: What reading throws.
    init(
        _ shape: GroupShape,
        in reader: any EngineReader,
        _ make: @escaping (UnsafeBufferPointer<Slot>, RowBuffer) -> ResultEntry
    ) throws {
        self.shape = shape
        self.make = make
        let query = shape.grouping.query
        derived = DerivedColumns(shape.derived, of: query.entity)
        let columns = Set(shape.grouping.ownColumns + derived.columns)
        node = .node(of: query, looking: columns.isEmpty ? Set(query.entity.primaryKey) : columns)
        let entity = query.entity
        table = GroupTable(entity, Array(shape.keys.indices))
        keys = .allocate(capacity: max(shape.keys.count, 1))
        keys.initialize(repeating: .null, count: max(shape.keys.count, 1))
        arena = RowBuffer(entity, columns: [])
        super.init()
        try node.read(in: reader) { add($0, $1) }
    }

    deinit {
        keys.deallocate()
    }

    // MARK: Rows

    override var hasChanged: Bool { !dirty.isEmpty || failures.count != 0 }

    override func take(before: RowBatch?, after: RowBatch?, of input: Int) -> Bool {
        node.take(before: before, after: after, of: input) { add($0, $1) }
    }

    private func add(_ row: UnsafePointer<Slot>, _ weight: Int) {
        do {
            try derived.compute(row)
        } catch {
            failures.count += weight
            failures.last = error
            return
        }
        for (index, column) in shape.keys.enumerated() {
            keys[index] = derived.slot(column, of: row)
        }
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
                group.sums[index].add(derived.slot(column, of: row))
            } else {
                group.sums[index].remove(derived.slot(column, of: row))
            }
        }
        for (index, extreme) in shape.extremes.enumerated() {
            if weight > 0 {
                group.extremes[index].add(derived.slot(extreme.column, of: row))
            } else {
                group.extremes[index].remove(derived.slot(extreme.column, of: row))
            }
        }
        for (index, column) in shape.counted.enumerated() {
            let slot = derived.slot(column, of: row)
            if slot.isNull { continue }
            let value = StorageValue(slot)
            let count = group.different[index][value, default: 0] + weight
            group.different[index][value] = count == 0 ? nil : count
        }
    }

    // MARK: Groups

    /// Visits the groups that have changed since they were last visited: the entry that was made of a group, and the one
    /// that is made of it now, if it is still there and fulfils the condition.
    override func visitChanges(
        _ visit: (_ old: ResultEntry?, _ new: ResultEntry?) -> Void
    ) throws {
        if failures.count != 0, let failure = failures.last { throw failure }
        for place in dirty {
            let group = groups[place]
            let new = try entry(of: group, place)
            let old = group.entry
            group.entry = new
            group.isDirty = false
            if old != nil || new != nil { visit(old, new) }
        }
        dirty = []
        if emptyCount > 256, emptyCount > groups.count / 2 { compact() }
    }

    private func entry(of group: Group, _ place: Int) throws -> ResultEntry? {
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
                        .result(
                            function,
                            grouping.query.entity,
                            (term.operand ?? RowGrouping.Key(0)).field(of: grouping.query.entity)
                        )
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
