/// Writes the fields of one row, in the schema's order, into a reused buffer.
@frozen
public struct RowWriter {
    @usableFromInline var next: UnsafeMutablePointer<Slot>
    @usableFromInline let first: UnsafeMutablePointer<Slot>
    @usableFromInline let end: UnsafeMutablePointer<Slot>
    @usableFromInline let buffer: Unmanaged<RowBuffer>
    /// The buffer's own, taken at once: going through the buffer would retain it for each text.
    @usableFromInline let arena: UnsafeMutablePointer<ByteArena>
    /// Whether a value is kept in a form that reads back different, such as a rounded date.
    @usableFromInline var isNormalized = false

    @inlinable
    init(
        first: UnsafeMutablePointer<Slot>,
        columnCount: Int,
        buffer: RowBuffer,
        arena: UnsafeMutablePointer<ByteArena>
    ) {
        self.next = first
        self.first = first
        self.end = first + columnCount
        self.buffer = Unmanaged.passUnretained(buffer)
        self.arena = arena
    }

    /// Writes the next field.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue`, naming the entity and the field, for a
    ///   value that no engine can keep.
    @inlinable
    @inline(__always)
    public mutating func write<Value: StorableValue>(_ value: Value) throws {
        try value.store(in: &self)
    }

    /// Puts a slot whose bytes, if any, outlive the buffer's current rows.
    @inlinable
    @inline(__always)
    public mutating func put(_ slot: Slot) throws {
        guard next < end else { throw tooManyWrites() }
        next.pointee = slot
        next += 1
    }

    /// Puts what a slot holds, copying its bytes.
    mutating func put(copying slot: Slot) throws {
        switch slot.kind {
        case .text: try put(utf8: slot.bytes)
        case .data: try put(data: slot.bytes)
        default: try put(slot)
        }
    }

    /// Writes the next field as absent.
    @inlinable
    public mutating func putNull() throws {
        try put(.null)
    }

    /// Writes the next field as an integer.
    @inlinable
    public mutating func put(integer: Int64) throws {
        try put(.integer(integer))
    }

    /// Puts a double; negative zero becomes zero.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for NaN.
    @inlinable
    public mutating func put(real: Double) throws {
        if real == 0 {
            if real.sign == .minus { isNormalized = true }
            return try put(.real(0))
        }
        if real.isNaN { throw invalidValue("A number must not be NaN, which has no order.") }
        try put(.real(real))
    }

    /// Copies UTF-8 text.
    ///
    /// - Throws: `DBClientError` with code `.invalidValue` for text with NUL or over the limit.
    @inlinable
    public mutating func put(text: String) throws {
        // Without a copy of the string where its bytes lie together, as those of all native ones do.
        let isPut: Void? = try text.utf8.withContiguousStorageIfAvailable {
            try put(utf8: UnsafeRawBufferPointer($0))
        }
        if isPut == nil {
            var text = text
            try text.withUTF8 { try put(utf8: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Copies bytes that are valid UTF-8.
    public mutating func put(utf8 bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= RowBuffer.maximumValueLength else { throw tooLong() }
        let target = arena.pointee.allocate(bytes.count)
        if copyText(bytes, to: target) {
            throw invalidValue("Text must not contain a NUL character.")
        }
        try put(.text(UnsafeRawBufferPointer(start: target, count: bytes.count)))
    }

    /// Writes the next field as a copy of some bytes.
    public mutating func put(data bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= RowBuffer.maximumValueLength else { throw tooLong() }
        try put(.data(arena.pointee.copy(bytes)))
    }

    @inline(never)
    private func tooLong() -> DBClientError {
        invalidValue("A value must have at most 256 MB.")
    }

    /// Says that the field just written reads back different from the value that was given.
    @inlinable
    public mutating func markNormalized() {
        isNormalized = true
    }

    /// Returns an error about the field that is about to be written.
    @inline(never)
    public func invalidValue(_ message: String) -> DBClientError {
        let schema = buffer.takeUnretainedValue().entity
        return DBClientError(.invalidValue, message, entity: schema.name, field: fieldName)
    }

    @usableFromInline
    @inline(never)
    func tooManyWrites() -> DBClientError {
        DBClientError(
            .invalidSchema,
            "write(to:) must not write more fields than the schema has.",
            entity: buffer.takeUnretainedValue().entity.name
        )
    }

    private var fieldName: String? {
        let buffer = buffer.takeUnretainedValue()
        let column = next - first
        guard buffer.columns.indices.contains(column) else { return nil }
        return buffer.entity.fields[buffer.columns[column]].name
    }
}
