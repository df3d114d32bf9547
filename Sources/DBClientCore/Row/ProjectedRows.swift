/// A reused block of slots for some fields of rows on their way out.
public final class ProjectedRows {
    /// The positions of the fields, in plain memory, which a loop for each row reads without retaining
    /// anything.
    @usableFromInline let columns: UnsafeMutableBufferPointer<Int>
    private let entity: EntitySchema
    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) @usableFromInline var next: UnsafeMutablePointer<Slot>
    @usableFromInline let end: UnsafeMutablePointer<Slot>
    /// How many rows are still to come, as far as is known.
    private var expectedCount: Int

    /// The most rows of a batch: enough to share the cost of a call, few enough for the nearest cache.
    private static let batchRows = 64

    /// Creates an empty block for the fields at some positions.
    ///
    /// - Parameters:
    ///   - columns: The positions.
    ///   - entity: The entity of the rows.
    ///   - count: How many rows there will be; 0 when that is not known.
    public init(_ columns: [Int], of entity: EntitySchema, expecting count: Int = 0) {
        self.columns = .allocate(capacity: columns.count)
        _ = self.columns.initialize(from: columns)
        self.entity = entity
        expectedCount = count
        let capacity = max(columns.count, 1) * Self.batchRows
        slots = .allocate(capacity: capacity)
        next = slots
        end = slots + capacity
    }

    deinit {
        columns.deallocate()
        slots.deallocate()
    }

    /// Whether the rows must be flushed before another is added.
    @inlinable
    public var isFull: Bool { next == end }

    /// Adds a row, whose fields a function gives by their positions.
    @inlinable
    @inline(__always)
    public func add(_ field: (Int) -> Slot) {
        let target = next
        for index in 0..<columns.count { target[index] = field(columns[index]) }
        next = target + max(columns.count, 1)
    }

    /// Delivers the rows, if there are any, and returns whether more are wanted.
    public func flush(_ visit: (RowBatch) throws -> Bool) throws -> Bool {
        let count = (next - slots) / max(columns.count, 1)
        next = slots
        guard count > 0 else { return true }
        var batch = RowBatch(
            slots: slots,
            columnCount: columns.count,
            count: count,
            entity: entity
        )
        batch.expectedCount = expectedCount
        expectedCount = max(expectedCount - count, 0)
        return try visit(batch)
    }
}
