/// Takes the rows that a join finds, one by one, and passes them on to the caller of a query.
protocol JoinOutput: AnyObject {
    /// Takes a row, by the fields of the joined entity, and returns false once no more are wanted.
    func add(_ row: UnsafePointer<Slot>) throws -> Bool
    /// Says that what the rows borrow is about to go, and returns false once no more are wanted.
    func endBatch() throws -> Bool
    /// Says that there are no more rows.
    func finish() throws
}

/// Passes rows on in the order in which they come.
final class JoinStream: JoinOutput {
    private let columns: [Int]
    private let entity: EntitySchema
    private let residual: RowPredicate
    private let visit: (RowBatch) throws -> Bool
    private var skipped: Int
    private var wanted: Int
    private var slots: [Slot] = []
    private var count = 0

    private static let rowsOfBatch = 512

    init(
        _ columns: [Int],
        _ query: RowQuery,
        _ residual: RowPredicate,
        _ visit: @escaping (RowBatch) throws -> Bool
    ) {
        self.columns = columns
        entity = query.entity
        self.residual = residual
        self.visit = visit
        skipped = query.offset
        wanted = query.limit ?? .max
    }

    func add(_ row: UnsafePointer<Slot>) throws -> Bool {
        guard residual.matches(SlotRow(row)) else {
            try residual.check()
            return true
        }
        if skipped > 0 {
            skipped -= 1
            return true
        }
        for column in columns { slots.append(row[column]) }
        count += 1
        wanted -= 1
        if wanted == 0 || count == Self.rowsOfBatch { return try flush() && wanted > 0 }
        return true
    }

    func endBatch() throws -> Bool { try flush() && wanted > 0 }

    func finish() throws {}

    private func flush() throws -> Bool {
        if count == 0 { return true }
        defer {
            slots.removeAll(keepingCapacity: true)
            count = 0
        }
        // A row of no fields needs an address all the same.
        if columns.isEmpty { slots.append(.null) }
        return try slots.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return true }
            return try visit(
                RowBatch(slots: start, columnCount: columns.count, count: count, entity: entity)
            )
        }
    }
}

/// Keeps rows, and passes them on sorted.
final class JoinSort: JoinOutput {
    private let columns: [Int]
    private let order: [RowOrdering]
    private let related: [RelatedField?]
    private let comparator: RowComparator
    private let query: RowQuery
    private let residual: RowPredicate
    private let visit: (RowBatch) throws -> Bool
    /// The keys of the sort, then the fields, row by row.
    private var slots: [Slot] = []
    private var bytes: RowBuffer
    private var count = 0

    init(
        _ columns: [Int],
        _ query: RowQuery,
        _ residual: RowPredicate,
        _ order: [RowOrdering],
        _ related: [RelatedField?],
        _ visit: @escaping (RowBatch) throws -> Bool
    ) {
        self.columns = columns
        self.query = query
        self.residual = residual
        self.order = order
        self.related = related
        self.visit = visit
        comparator = RowComparator(order)
        bytes = RowBuffer(query.entity, columns: [])
    }

    private var width: Int { order.count + columns.count }
    /// How many rows may be in the result; nil for any number.
    private var needed: Int? {
        query.limit.map { $0.addingReportingOverflow(query.offset) }
            .map { $0.overflow ? .max : $0.partialValue }
    }

    func add(_ row: UnsafePointer<Slot>) throws -> Bool {
        guard residual.matches(SlotRow(row)) else {
            try residual.check()
            return true
        }
        for (ordering, field) in zip(order, related) {
            slots.append(
                bytes.owned(try field?.slot(of: SlotRow(row)) ?? row[ordering.column])
            )
        }
        for column in columns { slots.append(bytes.owned(row[column])) }
        count += 1
        if let needed, needed < Int.max / 4, count > needed * 2 + 1_024 { prune(to: needed) }
        return true
    }

    func endBatch() -> Bool { true }

    /// Drops the rows that cannot be in the result, and what they borrow.
    private func prune(to needed: Int) {
        let kept = RowBuffer(query.entity, columns: [])
        var slots: [Slot] = []
        slots.reserveCapacity(needed * 2 * width)
        for row in sortedRows().prefix(needed) {
            for index in 0..<width { slots.append(kept.owned(self.slots[row * width + index])) }
        }
        self.slots = slots
        count = min(needed, count)
        bytes = kept
    }

    private func sortedRows() -> [Int] {
        slots.withUnsafeBufferPointer { slots in
            guard let start = slots.baseAddress else { return [] }
            return (0..<count).sorted {
                comparator.compare(start + $0 * width, start + $1 * width) < 0
            }
        }
    }

    func finish() throws {
        let rows = sortedRows().dropFirst(query.offset).prefix(query.limit ?? .max)
        var batch: [Slot] = []
        var next = rows.startIndex
        while next < rows.endIndex {
            let end = min(next + 512, rows.endIndex)
            batch.removeAll(keepingCapacity: true)
            for row in rows[next..<end] {
                let start = row * width + order.count
                batch.append(contentsOf: slots[start..<start + columns.count])
            }
            if columns.isEmpty { batch.append(.null) }
            let wantsMore = try batch.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return true }
                return try visit(
                    RowBatch(
                        slots: start,
                        columnCount: columns.count,
                        count: end - next,
                        entity: query.entity
                    )
                )
            }
            if !wantsMore { return }
            next = end
        }
    }
}
