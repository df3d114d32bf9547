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
