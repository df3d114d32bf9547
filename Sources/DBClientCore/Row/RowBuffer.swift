/// Rows on their way from models to an engine: slots and the bytes they point at, both reused.
///
/// Bytes never move while they are in use, so an engine may bind them without a copy. One thread uses
/// a buffer at a time; the run-time check of that is left out, because it costs more than the work.
public final class RowBuffer {
    /// The entity whose fields the rows carry.
    public let entity: EntitySchema
    /// The positions of the fields that each row carries.
    public let columns: [Int]
    /// The number of rows that were completed, without one that is being written.
    @inlinable
    public var count: Int { rowCount }
    /// Whether any value is kept in a form that reads back different.
    @inlinable
    public var isNormalized: Bool { hasNormalized }

    @exclusivity(unchecked) @usableFromInline var rowCount = 0
    @exclusivity(unchecked) @usableFromInline var hasNormalized = false

    /// What is kept beside the rows for their models: the graph of what they hold; nil for rows that hold nothing else.
    @exclusivity(unchecked) var companion: AnyObject?

    /// The objects that the rows borrow from, beside the buffer's own bytes.
    @exclusivity(unchecked) var lenders: [AnyObject] = []

    @usableFromInline let columnCount: Int
    /// The shape of each column: the raw value of its kind, a bit that no kind has where it has a format, and the high
    /// bit when it may be absent.
    ///
    /// In plain memory, which a loop for each row reads without retaining anything.
    @usableFromInline let shapes: UnsafeMutableBufferPointer<UInt8>
    @exclusivity(unchecked) @usableFromInline var slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) @usableFromInline var capacity: Int
    /// The bytes of text and data, which writers reach without the buffer.
    @usableFromInline let arena: UnsafeMutablePointer<ByteArena>

    /// Creates a buffer of rows with every field of an entity, or with some.
    ///
    /// Whole rows are rounded to what columns of their fields' formats keep; some fields are what is looked for, and stay
    /// as they are.
    public init(_ entity: EntitySchema, columns: [Int]? = nil, capacity: Int = 1) {
        self.entity = entity
        let isWhole = columns == nil
        let columns = columns ?? Array(entity.fields.indices)
        self.columns = columns
        columnCount = columns.count
        let mask = isWhole ? UInt8.max : ~FieldSchema.formatBit
        let shapes =
            entity === EntitySchema.constant ? [] : columns.map { entity.fields[$0].shape & mask }
        self.shapes = .allocate(capacity: shapes.count)
        _ = self.shapes.initialize(from: shapes)
        self.capacity = max(capacity, 1)
        self.slots = .allocate(capacity: self.capacity * columns.count)
        self.arena = .allocate(capacity: 1)
        self.arena.initialize(to: ByteArena())
    }

    deinit {
        shapes.deallocate()
        slots.deallocate()
        arena.pointee.deallocate()
        arena.deinitialize(count: 1)
        arena.deallocate()
    }

    /// Starts a row at the end of the buffer and returns a writer for its fields.
    @inlinable
    public func beginRow() throws -> RowWriter {
        if rowCount == capacity { grow() }
        return RowWriter(
            first: slots + rowCount * columnCount,
            columnCount: columnCount,
            buffer: self,
            arena: arena
        )
    }

    /// Finishes the row that the writer wrote.
    ///
    /// - Throws: `DBClientError` with code `.invalidSchema` when fields are missing,
    ///   `.constraintViolation` when a required one is absent, `.invalidValue` when one holds another
    ///   kind of value than the schema says.
    @inlinable
    public func endRow(_ writer: RowWriter) throws {
        guard writer.next == writer.end else { throw tooFewWrites() }
        let row = slots + rowCount * columnCount
        for column in 0..<shapes.count where !fits(row[column], column) {
            try settle(&row[column], column)
        }
        rowCount += 1
        if writer.isNormalized { hasNormalized = true }
    }

    /// Finishes a row of values that are stored already, which are not rounded again.
    package func endStoredRow(_ writer: RowWriter) throws {
        guard writer.next == writer.end else { throw tooFewWrites() }
        let row = slots + rowCount * columnCount
        for column in 0..<shapes.count where !fits(row[column], column) {
            let field = entity.fields[columns[column]]
            if row[column].kind != field.type.slotKind { throw misfit(row[column], column) }
        }
        rowCount += 1
    }

    @inlinable
    @inline(__always)
    func fits(_ slot: Slot, _ column: Int) -> Bool {
        let shape = shapes[column]
        return slot.kind.rawValue == shape & 0x7F || slot.isNull && shape & 0x80 != 0
    }

    /// The finished rows; valid until the buffer is changed.
    public var batch: RowBatch {
        RowBatch(slots: slots, columnCount: columnCount, count: count, entity: entity)
    }

    /// Returns a slot whose bytes live as long as the rows.
    func owned(_ slot: Slot) -> Slot {
        switch slot.kind {
        case .text: .text(copy(slot.bytes))
        case .data: .data(copy(slot.bytes))
        default: slot
        }
    }

    /// Appends a row of slots as they are; what they borrow must outlive the buffer's rows.
    func append(_ row: (Int) -> Slot) {
        if count == capacity { grow() }
        let target = slots + count * columnCount
        for column in 0..<columnCount { (target + column).initialize(to: row(column)) }
        rowCount += 1
    }

    /// Appends a row of as many slots as the buffer has columns, text and data copied, and returns it.
    @discardableResult
    func append(copying row: UnsafePointer<Slot>) -> UnsafePointer<Slot> {
        append { copied(row[$0]) }
        return UnsafePointer(slots + (count - 1) * columns.count)
    }

    /// Appends the rows of a batch that has the buffer's columns, text and data copied.
    public func append(copying batch: RowBatch) {
        for row in 0..<batch.count { append(copying: batch.slots + row * batch.columnCount) }
    }

    /// Returns a buffer of the same rows with bytes of its own.
    func copied() -> RowBuffer {
        let copy = RowBuffer(entity, columns: columns, capacity: count)
        copy.append(copying: batch)
        return copy
    }

    /// Returns a buffer of some of the rows, which borrows from this one.
    func subset(_ rows: [Int]) -> RowBuffer {
        let subset = RowBuffer(entity, columns: columns, capacity: rows.count)
        subset.lenders = [self]
        for row in rows { subset.append { slots[row * columns.count + $0] } }
        return subset
    }

    /// Whether the engine keeps a value of any field in a form that reads back different.
    @exclusivity(unchecked) private(set) var isRounded = false

    /// Says that the engine keeps a value of the rows in a form that reads back different.
    package func markRounded() {
        hasNormalized = true
        isRounded = true
    }

    /// Calls a function with the finished rows, which live as long as it runs.
    public func withBatch<Value>(_ body: (RowBatch) throws -> Value) rethrows -> Value {
        try withExtendedLifetime(self) { try body(batch) }
    }

    /// The row that was begun and not ended, as a batch of one.
    var openRow: RowBatch {
        RowBatch(
            slots: slots + count * columns.count,
            columnCount: columns.count,
            count: 1,
            entity: entity
        )
    }

    /// Replaces the slot of a finished row, for a key that the engine made.
    public func replace(row: Int, column: Int, with slot: Slot) {
        slots[row * columns.count + column] = slot
    }

    /// Keeps some of the rows, given by ascending positions.
    func keep(rows kept: [Int]) {
        for (row, old) in kept.enumerated() where row != old {
            (slots + row * columns.count).update(
                from: slots + old * columns.count,
                count: columns.count
            )
        }
        rowCount = kept.count
    }

    /// Copies bytes to where they stay as long as the buffer's rows.
    public func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        arena.pointee.copy(bytes)
    }

    /// Returns a slot whose bytes stay as long as the buffer's rows.
    func copied(_ slot: Slot) -> Slot {
        switch slot.kind {
        case .text: .text(copy(slot.bytes))
        case .data: .data(copy(slot.bytes))
        default: slot
        }
    }

    /// Forgets the rows and keeps the memory.
    @inlinable
    public func removeAll() {
        rowCount = 0
        hasNormalized = false
        arena.pointee.removeAll()
    }

    /// The longest text or data that every engine keeps.
    static let maximumValueLength = 256 << 20

    @usableFromInline
    @inline(never)
    func tooFewWrites() -> DBClientError {
        DBClientError(
            .invalidSchema,
            "write(to:) must write every field of the schema; it writes fewer.",
            entity: entity.name
        )
    }

    @usableFromInline
    @inline(never)
    func misfit(_ slot: Slot, _ column: Int) -> DBClientError {
        let field = entity.fields[columns[column]]
        if slot.isNull {
            return DBClientError(
                .constraintViolation,
                "A required value is missing.",
                entity: entity.name,
                field: field.name
            )
        }
        return DBClientError(
            .invalidValue,
            "write(to:) must write \(field.type.name) here, as the schema says; got \(slot.kind).",
            entity: entity.name,
            field: field.name
        )
    }

    @usableFromInline
    @inline(never)
    func grow() {
        reserve(capacity * 2)
    }

    /// Makes room for some rows beside those that are there.
    @inlinable
    func reserveCapacity(_ more: Int) {
        if rowCount + more > capacity { reserve(rowCount + more) }
    }

    @usableFromInline
    @inline(never)
    func reserve(_ wanted: Int) {
        let larger = UnsafeMutablePointer<Slot>.allocate(capacity: wanted * columns.count)
        larger.update(from: slots, count: count * columns.count)
        slots.deallocate()
        slots = larger
        capacity = wanted
    }
}

/// A bump allocator of bytes in chunks that never move.
@usableFromInline
struct ByteArena {
    private var next: UnsafeMutableRawPointer?
    private var left = 0
    private var chunks: [UnsafeMutableRawBufferPointer] = []
    private var current = 0

    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let target = allocate(bytes.count)
        if let source = bytes.baseAddress {
            target.copyMemory(from: source, byteCount: bytes.count)
        }
        return UnsafeRawBufferPointer(start: target, count: bytes.count)
    }

    @inline(__always)
    mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        if count <= left, let start = next {
            next = start + count
            left -= count
            return start
        }
        return allocateElsewhere(count)
    }

    @inline(never)
    private mutating func allocateElsewhere(_ count: Int) -> UnsafeMutableRawPointer {
        repeat { current += 1 } while current < chunks.count && chunks[current].count < count
        if current >= chunks.count {
            let size = max(count, min(1 << 20, 256 << (2 * min(chunks.count, 6))))
            chunks.append(.allocate(byteCount: size, alignment: 8))
            current = chunks.count - 1
        }
        let chunk = chunks[current]
        // A chunk that was allocated has an address.
        let start = chunk.baseAddress.unsafelyUnwrapped
        next = start + count
        left = chunk.count - count
        return start
    }

    @usableFromInline
    mutating func removeAll() {
        current = 0
        next = chunks.first?.baseAddress
        left = chunks.first?.count ?? 0
    }

    func deallocate() {
        for chunk in chunks { chunk.deallocate() }
    }
}
