import DBClientCore

/// A reused block of slots for rows on their way out.
///
/// Its state is touched for every row, by one thread and never while it is being touched, so the
/// run-time check of that is left out.
final class SlotBuffer {
    let slots: UnsafeMutablePointer<Slot>
    let capacity: Int
    @exclusivity(unchecked) private var next: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var end: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var columns = 0
    @exclusivity(unchecked) private var entity: EntitySchema?
    @exclusivity(unchecked) private var expectedCount = 0

    /// The most rows of a batch: enough to share the cost of a call, few enough for the nearest cache.
    static let batchRows = 64

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        slots = .allocate(capacity: self.capacity)
        next = slots
        end = slots
    }

    deinit {
        slots.deallocate()
    }

    /// Starts a sequence of batches of an entity's rows.
    ///
    /// The first batches are small, so that a caller that stops
    /// early costs little.
    func begin(_ entity: EntitySchema, expecting count: Int) {
        self.entity = entity
        expectedCount = count
        columns = entity.fields.count
        next = slots
        end = slots + columns
    }

    /// Whether the rows must be flushed before another is added.
    @inline(__always)
    var isFull: Bool { next == end }

    var isEmpty: Bool { next == slots }

    /// Adds a record's fields as a row.
    @inline(__always)
    func add(_ record: Record, _ layout: RecordLayout) {
        record.fill(next, layout)
        next += layout.fieldCount
    }

    /// Hands the rows over and returns whether more are wanted.
    func flush(_ visit: (RowBatch) throws -> Bool) throws -> Bool {
        guard let entity else { return false }
        let count = (next - slots) / max(columns, 1)
        next = slots
        end = slots + min(count * 4, Self.batchRows) * columns
        var batch = RowBatch(slots: slots, columnCount: columns, count: count, entity: entity)
        batch.expectedCount = expectedCount
        expectedCount = max(expectedCount - count, 0)
        return try visit(batch)
    }
}
