// What an engine gets for free of the calls that look at some fields of each row: right for every
// engine, and to be written anew by one that can leave the other fields where they are.
extension EngineReader {
    /// Visits some fields of the rows of a query, read with all the others.
    public func select(
        _ columns: [Int],
        of query: RowQuery,
        _ visit: (RowBatch) throws -> Bool
    ) throws {
        let rows = ProjectedRows(columns, of: query.entity)
        try scan(query) { batch in
            for row in 0..<batch.count {
                rows.add { batch[row, $0] }
                if rows.isFull, try !rows.flush(visit) { return false }
            }
            return try rows.flush(visit)
        }
    }

    /// Visits the groups of the rows of a query, put together here from the fields that they need.
    public func group(
        _ grouping: RowGrouping,
        _ visit: (UnsafeBufferPointer<Slot>) throws -> Void
    ) throws {
        let columns = grouping.columns
        var grouper = RowGrouper(grouping, over: columns)
        var query = grouping.query
        if query.limit == nil, query.offset == 0 { query.orderings = [] }
        try select(columns, of: query) { batch in
            grouper.add(batch)
            return true
        }
        try grouper.forEach(visit)
    }
}

/// A reused block of slots for some fields of rows on their way out.
public final class ProjectedRows {
    @usableFromInline let columns: [Int]
    private let entity: EntitySchema
    private let slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var next: UnsafeMutablePointer<Slot>
    private let end: UnsafeMutablePointer<Slot>

    /// The most rows of a batch: enough to share the cost of a call, few enough for the nearest cache.
    private static let batchRows = 64

    /// Creates an empty block for the fields at some positions.
    public init(_ columns: [Int], of entity: EntitySchema) {
        self.columns = columns
        self.entity = entity
        let capacity = max(columns.count, 1) * Self.batchRows
        slots = .allocate(capacity: capacity)
        next = slots
        end = slots + capacity
    }

    deinit {
        slots.deallocate()
    }

    /// Whether the rows must be flushed before another is added.
    public var isFull: Bool { next == end }

    /// Adds a row, whose fields a function gives by their positions.
    @inlinable
    @inline(__always)
    public func add(_ field: (Int) -> Slot) {
        let target = take()
        for index in columns.indices { target[index] = field(columns[index]) }
    }

    /// Returns where the next row goes.
    public func take() -> UnsafeMutablePointer<Slot> {
        let target = next
        next = target + max(columns.count, 1)
        return target
    }

    /// Hands the rows over, if there are any, and returns whether more are wanted.
    public func flush(_ visit: (RowBatch) throws -> Bool) throws -> Bool {
        let count = (next - slots) / max(columns.count, 1)
        next = slots
        guard count > 0 else { return true }
        return try visit(
            RowBatch(slots: slots, columnCount: columns.count, count: count, entity: entity)
        )
    }
}
