/// The changes that a write unit made to the rows of one entity, in order: copies of the rows before and
/// after.
///
/// Written by the writer's thread, then sealed and read by others.
public final class RowLog: @unchecked Sendable {
    /// One row that was written: the positions of its copies, or -1 where there was no row.
    struct Entry {
        var before: Int32
        var after: Int32
    }

    /// The entity whose rows are logged.
    public let entity: EntitySchema
    /// The name of ``entity``, by which observers look for its rows.
    public let name: EntityName
    @exclusivity(unchecked) private(set) var entries: [Entry] = []
    /// Whether more was written than is kept; what was kept is then gone as well.
    @exclusivity(unchecked) private(set) var isOverflown = false
    /// Whether rows were left out because they concern no observer.
    @exclusivity(unchecked) private(set) var hasLeftOut = false

    private let width: Int
    private let limit: Int
    private let watches: WatchList?
    private lazy var filter = watches?.filter(of: name, entity)
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var capacity = 4
    @exclusivity(unchecked) private var rowCount = 0
    @exclusivity(unchecked) private var arena = ByteArena()

    /// How far a log was written, to go back to.
    struct Mark {
        fileprivate let entries: Int
        fileprivate let rows: Int
        fileprivate let isOverflown: Bool
    }

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - name: The name of the entity.
    ///   - limit: How many copies of rows are kept at most, at least two.
    ///   - watches: Tells which rows concern an observer; nil when all may.
    init(_ entity: EntitySchema, name: EntityName, limit: Int, watches: WatchList? = nil) {
        self.entity = entity
        self.name = name
        self.limit = limit
        self.watches = watches
        width = entity.fields.count
        slots = .allocate(capacity: capacity * width)
    }

    /// Creates an empty log of the rows of a foreign commit.
    public convenience init(_ entity: EntitySchema) {
        self.init(entity, name: entity.exactName, limit: .max)
    }

    deinit {
        slots.deallocate()
        arena.deallocate()
    }

    // MARK: Writing

    /// Copies rows that were inserted and notes them, as far as they may concern an observer.
    func append(inserted batch: RowBatch) {
        let filter = filter
        for row in 0..<batch.count {
            if let filter, !filter.wants(batch.slots + row * width) {
                hasLeftOut = true
            } else {
                append(after: copy(batch, row: row))
            }
        }
    }

    /// Copies a row and returns the position of the copy.
    func copy(_ batch: RowBatch, row: Int) -> Int32 {
        let target = next()
        target.update(from: batch.slots + row * width, count: width)
        takeBytes(of: target)
        return take()
    }

    /// Copies a row that was copied before, with some of its fields replaced, and returns the position
    /// of the new copy.
    func copy(_ row: Int32, setting assignments: RowAssignments) -> Int32 {
        let target = next()
        // The bytes that stay are in the log's own memory already.
        target.update(from: slots + Int(row) * width, count: width)
        for column in assignments.columns {
            var slot = assignments.values[0, column]
            takeBytes(of: &slot)
            target[column] = slot
        }
        return take()
    }

    /// Notes what happened to a row.
    func append(before: Int32 = -1, after: Int32 = -1) {
        if isOverflown { return }
        entries.append(Entry(before: before, after: after))
    }

    /// Copies what a row was before and after a write: batches of one row with every field of the entity,
    /// or nil where there was no row.
    public func append(before: RowBatch?, after: RowBatch?) {
        append(
            before: before.map { copy($0, row: 0) } ?? -1,
            after: after.map { copy($0, row: 0) } ?? -1
        )
    }

    var mark: Mark { Mark(entries: entries.count, rows: rowCount, isOverflown: isOverflown) }

    /// Forgets what was written since a mark.
    ///
    /// What overflowed stays so: an unknown change too many costs a look, one too few a wrong result.
    func rollBack(to mark: Mark?) {
        if isOverflown { return }
        entries.removeLast(entries.count - (mark?.entries ?? 0))
        rowCount = mark?.rows ?? 0
    }

    private func next() -> UnsafeMutablePointer<Slot> {
        if rowCount >= limit {
            // The memory is used again: what is in it counts no more.
            isOverflown = true
            entries = []
            rowCount = 0
            arena.removeAll()
        }
        if rowCount == capacity {
            let larger = UnsafeMutablePointer<Slot>.allocate(capacity: capacity * 2 * width)
            larger.update(from: slots, count: rowCount * width)
            slots.deallocate()
            slots = larger
            capacity *= 2
        }
        return slots + rowCount * width
    }

    private func take() -> Int32 {
        rowCount += 1
        return Int32(truncatingIfNeeded: rowCount - 1)
    }

    /// Copies what the slots of a row borrow, all at once.
    private func takeBytes(of row: UnsafeMutablePointer<Slot>) {
        var count = 0
        for column in 0..<width where row[column].hasBytes { count += Int(row[column].length) }
        if count == 0 { return }
        let target = UnsafeMutableRawBufferPointer(start: arena.allocate(count), count: count)
        var position = 0
        for column in 0..<width where row[column].hasBytes {
            let bytes = row[column].bytes
            let copy = UnsafeMutableRawBufferPointer(
                rebasing: target[position..<position + bytes.count]
            )
            copy.copyMemory(from: bytes)
            row[column] = Slot(kind: row[column].kind, borrowing: UnsafeRawBufferPointer(copy))
            position += bytes.count
        }
    }

    private func takeBytes(of slot: inout Slot) {
        guard slot.hasBytes else { return }
        slot = Slot(kind: slot.kind, borrowing: arena.copy(slot.bytes))
    }

    // MARK: Reading

    /// How many writes of rows there were.
    public var count: Int { entries.count }

    /// The row of a write before and after it, each a batch of one row, or nil where there was none; valid as
    /// long as the log.
    public subscript(position: Int) -> (before: RowBatch?, after: RowBatch?) {
        (row(entries[position].before), row(entries[position].after))
    }

    /// Returns whether there is a copy of a row that fulfils a condition.
    ///
    /// Of many rows few concern a result, so this is all that is done for most.
    @inline(__always)
    func matches(_ position: Int32, _ predicate: RowPredicate) -> Bool {
        position >= 0 && predicate.matches(SlotRow(slots + Int(position) * width))
    }

    /// Returns the copy of a row, or nil where there was none; valid as long as the log.
    func row(_ position: Int32) -> RowBatch? {
        guard position >= 0 else { return nil }
        return RowBatch(
            slots: slots + Int(position) * width,
            columnCount: width,
            count: 1,
            entity: entity
        )
    }
}

extension Slot {
    fileprivate var hasBytes: Bool { (kind == .text || kind == .data) && length > 0 }
}
