/// What is kept of each group, and what comes of it: the terms, the place in the order and the window.
struct GroupShape: Sendable {
    /// Where a term comes from.
    enum Source: Sendable {
        case rows
        /// A sum or an average, by the position of its field among the summed ones.
        case sum(AggregateFunction, Int)
        case extreme(Int)
        case different(Int)
    }

    let grouping: RowGrouping
    /// What is computed of each row, in columns behind those of the entity.
    let derived: [RowGrouping.Key]
    /// The columns of the keys.
    let keys: [Int]
    /// Those of the terms that are returned, then those that only the condition uses.
    let terms: [RowGrouping.Term]
    let sources: [Source]
    /// The fields that sums are made of, each once.
    let summed: [Int]
    /// The fields whose extremes are kept.
    let extremes: [(column: Int, isGreatest: Bool)]
    /// The fields whose different values are counted.
    let counted: [Int]
    let window: GroupWindow

    /// Creates the shape of groups of own fields, and of what is computed from such.
    init(_ grouping: RowGrouping, _ window: GroupWindow) {
        self.grouping = grouping
        self.window = window
        let derived = grouping.derivedFields
        let width = grouping.query.entity.fields.count
        func column(of key: RowGrouping.Key) -> Int {
            derived.firstIndex(of: key).map { width + $0 } ?? key.column
        }
        self.derived = derived
        keys = grouping.keys.map(column(of:))
        terms = grouping.allTerms
        var summed: [Int] = []
        var extremes: [(column: Int, isGreatest: Bool)] = []
        var counted: [Int] = []
        sources = terms.map { term in
            guard let column = term.operand.map(column(of:)) else { return .rows }
            switch term.function {
            case nil:
                counted.append(column)
                return .different(counted.count - 1)
            case .minimum?, .maximum?:
                extremes.append((column, term.function == .maximum))
                return .extreme(extremes.count - 1)
            case .sum?: return .sum(.sum, Self.place(of: column, in: &summed))
            case .average?: return .sum(.average, Self.place(of: column, in: &summed))
            }
        }
        self.summed = summed
        self.extremes = extremes
        self.counted = counted
    }

    private static func place(of column: Int, in columns: inout [Int]) -> Int {
        if let place = columns.firstIndex(of: column) { return place }
        columns.append(column)
        return columns.count - 1
    }

    /// Returns the place of a group in the order, given its keys and terms.
    static func key(
        of slots: UnsafeBufferPointer<Slot>,
        _ keyCount: Int,
        _ window: GroupWindow,
        _ bytes: RowBuffer
    ) -> OrderKey {
        var key: [UInt8] = []
        key.reserveCapacity(16 * (window.sort.count + keyCount))
        for ordering in window.sort {
            OrderKeyEncoder.append(
                ordering.key(for: slots[ordering.position], in: bytes),
                by: ordering.ordering,
                to: &key
            )
        }
        let start = key.count
        for slot in slots.prefix(keyCount) { OrderKey.append(slot, to: &key) }
        return OrderKey(bytes: key, identityStart: start)
    }
}
