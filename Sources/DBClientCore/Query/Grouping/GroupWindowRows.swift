/// Groups, and the values of window functions beside their aggregates, which the library computes.
struct GroupWindowRows: Sendable {
    /// Where a selected column comes from.
    private enum Source: Sendable {
        /// An aggregate that the engine computes, by its position.
        case term(Int)
        /// A window function, by its position in `windows`.
        case window(Int)
    }

    /// A window function, with the positions of what it looks at among the keys and aggregates.
    private struct Placed: Sendable {
        let window: RowGroupWindow
        let operand: Int?
        let partition: [Int]
        let orderings: [Int]
    }

    let columns: [GroupColumn]
    private var sources: [Source] = []
    private var windows: [Placed] = []
    private let keyCount: Int

    /// Creates the rows of a grouping that has the selected aggregates, and adds those that only window functions look at.
    ///
    /// - Throws: `.invalidRequest` for the position of a key that there is not.
    init(_ columns: [GroupColumn], in grouping: inout RowGrouping) throws {
        self.columns = columns
        keyCount = grouping.keys.count
        for column in columns {
            switch column {
            case .term(let term): sources.append(.term(grouping.place(of: term)))
            case .window(let window):
                sources.append(.window(windows.count))
                windows.append(
                    Placed(
                        window: window,
                        operand: window.operand.map { keyCount + grouping.place(of: $0) },
                        partition: try window.partition.map { try grouping.place(of: $0) },
                        orderings: try window.orderings.map { try grouping.place(of: $0.key) }
                    )
                )
            }
        }
    }

    /// Visits the groups that are wanted, in their order: the keys, the selected columns, then the engine's aggregates.
    ///
    /// The functions are computed over all groups that fulfil the condition, before the limit and the offset take some.
    func visit(
        _ grouping: RowGrouping,
        _ order: GroupWindow,
        in transaction: ReadTransaction,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        if order.limit == 0 { return }
        let entity = grouping.query.entity
        let width = keyCount + grouping.terms.count
        let zeros = grouping.terms.map { term -> StorageValue in
            term.isSum ? .zero(of: term.field(of: entity).type) : .null
        }
        let bytes = RowBuffer(.constant, columns: [])
        var whole = order
        (whole.limit, whole.offset) = (nil, 0)
        // Behind each group as it is stands what window functions see of it.
        var slots: [Slot] = []
        var count = 0
        try whole.visit(grouping, in: transaction) { group in
            count += 1
            let start = slots.count
            for slot in group { slots.append(bytes.owned(slot)) }
            for place in 0..<width {
                slots.append(
                    place < keyCount
                        ? slots[start + place]
                        : Self.seen(slots[start + place], zeros[place - keyCount], bytes)
                )
            }
        }
        try withExtendedLifetime(bytes) {
            try slots.withUnsafeBufferPointer { slots in
                guard let start = slots.baseAddress else { return }
                let groups = RowBatch(
                    slots: start,
                    columnCount: 2 * width,
                    count: count,
                    entity: entity
                )
                let values = try windows.map {
                    try placed($0, width, grouping, entity).values(of: groups, bytes, entity)
                }
                try visitRows(groups, width, values, order, visit)
            }
        }
    }

    private func visitRows(
        _ groups: RowBatch,
        _ width: Int,
        _ values: [[Slot]],
        _ order: GroupWindow,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        var row: [Slot] = []
        for group in (0..<groups.count).dropFirst(order.offset).prefix(order.limit ?? .max) {
            row.removeAll(keepingCapacity: true)
            for place in 0..<keyCount { row.append(groups[group, place]) }
            for source in sources {
                switch source {
                case .term(let position): row.append(groups[group, keyCount + position])
                case .window(let position): row.append(values[position][group])
                }
            }
            for place in keyCount..<width { row.append(groups[group, place]) }
            try row.withUnsafeBufferPointer(visit)
        }
    }

    /// Returns a window over the second half of rows that are twice as wide as groups.
    private func placed(
        _ placed: Placed,
        _ width: Int,
        _ grouping: RowGrouping,
        _ entity: EntitySchema
    ) -> PlacedWindow {
        PlacedWindow(
            function: placed.window.function,
            operand: placed.operand.map {
                (grouping.terms[$0 - keyCount].field(of: entity), width + $0)
            },
            partition: placed.partition.map { width + $0 },
            orderings: zip(placed.window.orderings, placed.orderings).map {
                ($0.ordering, width + $1)
            }
        )
    }

    /// Returns what window functions see of an aggregate: a sum of no values as zero, and no number where opposite
    /// infinities come to none.
    private static func seen(_ slot: Slot, _ zero: StorageValue, _ bytes: RowBuffer) -> Slot {
        if slot.isNull { return zero.slot(in: bytes) }
        return slot.kind == .real && slot.real.isNaN ? .null : slot
    }
}

extension RowGrouping {
    /// Returns the position of an aggregate, which is asked for behind the others where it is not yet.
    fileprivate mutating func place(of term: Term) -> Int {
        if let place = terms.firstIndex(of: term) { return place }
        terms.append(term)
        return terms.count - 1
    }

    /// Returns the position of a key or an aggregate among all of them.
    fileprivate mutating func place(of key: GroupWindow.SortKey) throws -> Int {
        switch key {
        case .term(let term): return keys.count + place(of: term)
        case .key(let position):
            if keys.indices.contains(position) { return position }
            throw DBClientError.noKey(at: position, of: keys.count, query.entity)
        }
    }
}

extension DBClientError {
    /// The error of a position that no key of groups has.
    static func noKey(at position: Int, of count: Int, _ entity: EntitySchema) -> DBClientError {
        DBClientError(
            .invalidRequest,
            "A position must be that of a key, from 0 to \(max(count - 1, 0)); got \(position).",
            entity: entity.name
        )
    }
}
