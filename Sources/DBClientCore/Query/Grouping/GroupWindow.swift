/// The sort, the limit and the offset of groups: the library's part, the same on every engine.
struct GroupWindow: Sendable {
    /// What a sort of groups is by.
    enum SortKey: Sendable {
        case term(RowGrouping.Term)
        /// A key that groups are formed by, by its position.
        case key(Int)
    }

    /// One key of the sort, and how nil and equal keys are placed.
    struct Ordering: Sendable {
        let key: SortKey
        let isDescending: Bool
        let nilsFirst: Bool
        /// Where the key is among the slots of a group.
        fileprivate(set) var position = 0
        /// What a sum of no values is sorted as.
        fileprivate(set) var zero = StorageValue.null

        /// Returns what a group is sorted by that has a slot for the key.
        func key(for slot: Slot, in bytes: RowBuffer) -> Slot {
            if slot.isNull { return zero.slot(in: bytes) }
            // Opposite infinities come to no number.
            return slot.kind == .real && slot.real.isNaN ? .null : slot
        }

        /// How the keys of two groups are compared.
        var ordering: RowOrdering {
            RowOrdering(column: -1, isDescending: isDescending, nilsFirst: nilsFirst)
        }

        init(_ key: SortKey, isDescending: Bool, nilsFirst: Bool) {
            self.key = key
            self.isDescending = isDescending
            self.nilsFirst = nilsFirst
        }
    }

    /// The sort, most significant first, before that by the groups' own keys.
    var orderings: [Result<Ordering, DBClientError>] = []
    /// The greatest number of groups; nil for all.
    var limit: Int?
    /// The number of groups to skip first.
    var offset = 0
    private(set) var sort: [Ordering] = []
    /// How many slots of a group were asked for; those behind them are only sorted by.
    private(set) var askedCount = 0

    /// Whether all groups come, in the order of their keys.
    var isWhole: Bool { orderings.isEmpty && limit == nil && offset == 0 }

    /// What is wrong with the numbers of groups.
    var failure: DBClientError? {
        if let limit, limit < 0 {
            return DBClientError(.invalidRequest, "The limit must not be negative; got \(limit).")
        }
        if offset < 0 {
            return DBClientError(.invalidRequest, "The offset must not be negative; got \(offset).")
        }
        return nil
    }

    /// Finds what is sorted by among the slots of a group; a function that is not returned is asked for behind those that
    /// are.
    mutating func resolve(in grouping: inout RowGrouping) throws {
        askedCount = grouping.keys.count + grouping.terms.count
        sort = try orderings.map { ordering in
            var ordering = try ordering.get()
            switch ordering.key {
            case .key(let position):
                guard grouping.keys.indices.contains(position) else {
                    throw DBClientError.noKey(
                        at: position,
                        of: grouping.keys.count,
                        grouping.query.entity
                    )
                }
                ordering.position = position
            case .term(let term):
                if !grouping.terms.contains(term) { grouping.terms.append(term) }
                let place = grouping.terms.firstIndex(of: term) ?? 0
                ordering.position = grouping.keys.count + place
                if term.isSum, let field = term.operand?.field(of: grouping.query.entity) {
                    ordering.zero = .zero(of: field.type)
                }
            }
            return ordering
        }
    }

    /// Returns the same for groups with more columns between their keys and their aggregates.
    func inserting(_ columnCount: Int, behind keyCount: Int) -> GroupWindow {
        var copy = self
        copy.askedCount = keyCount + columnCount
        copy.sort = sort.map {
            var ordering = $0
            if ordering.position >= keyCount { ordering.position += columnCount }
            return ordering
        }
        return copy
    }

    /// Visits the groups of a grouping that are wanted, in their order.
    func visit(
        _ grouping: RowGrouping,
        in transaction: ReadTransaction,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        if limit == 0 { return }
        if sort.isEmpty {
            var position = -1
            return try transaction.group(grouping) { group in
                position += 1
                if contains(position) { try visit(group) }
            }
        }
        let bytes = RowBuffer(.constant, columns: [])
        var slots: [Slot] = []
        var keys: [Slot] = []
        var width = 0
        try transaction.group(grouping) { group in
            width = group.count
            let start = slots.count
            for slot in group { slots.append(bytes.owned(slot)) }
            for ordering in sort {
                keys.append(ordering.key(for: slots[start + ordering.position], in: bytes))
            }
        }
        try withExtendedLifetime(bytes) {
            for group in order(of: keys) {
                try slots.withUnsafeBufferPointer {
                    try visit(
                        UnsafeBufferPointer(rebasing: $0[group * width..<(group + 1) * width])
                    )
                }
            }
        }
    }

    private func contains(_ position: Int) -> Bool {
        position >= offset && limit.map { position - offset < $0 } ?? true
    }

    /// Returns which groups come, by the keys of the sort, then as they came.
    private func order(of keys: [Slot]) -> some Sequence<Int> {
        let comparator = RowComparator(sort.map(\.ordering))
        let width = sort.count
        let order = keys.withUnsafeBufferPointer { keys -> [Int] in
            guard let start = keys.baseAddress else { return [] }
            return (0..<keys.count / width).sorted {
                let order = comparator.compare(start + $0 * width, start + $1 * width)
                return order == 0 ? $0 < $1 : order < 0
            }
        }
        return order.dropFirst(offset).prefix(limit ?? .max)
    }
}
