/// Reads the fields of one row, in the schema's order, straight from the engine's bytes.
///
/// A reader is valid only inside the call that received it.
@frozen
public struct RowReader {
    @usableFromInline var next: UnsafePointer<Slot>
    @usableFromInline let first: UnsafePointer<Slot>
    @usableFromInline let end: UnsafePointer<Slot>
    @usableFromInline let entity: Unmanaged<EntitySchema>

    @inlinable
    @inline(__always)
    init(first: UnsafePointer<Slot>, columnCount: Int, entity: Unmanaged<EntitySchema>) {
        self.next = first
        self.first = first
        self.end = first + columnCount
        self.entity = entity
    }

    /// Returns the next slot of the row; throws when the schema has no more fields.
    @inlinable
    @inline(__always)
    mutating func take() throws -> Slot {
        guard next < end else { throw tooManyReads() }
        let slot = next.pointee
        next += 1
        return slot
    }

    /// Reads the next field.
    ///
    /// - Throws: `DBClientError` with code `.decoding`, naming the entity and the field, when the
    ///   stored value is not one of `Value`.
    @inlinable
    @inline(__always)
    public mutating func read<Value: StorableValue>(_ type: Value.Type = Value.self) throws -> Value
    {
        let slot = try take()
        do throws(SlotError) {
            return try Value(slot: slot)
        } catch {
            throw failure(error, slot)
        }
    }

    /// Returns a value as one of exactly the type of a property, for code that cannot name the type.
    ///
    /// `@Stored` calls the compiler's own initializer with such values, so that no other one is meant.
    @inlinable
    @inline(__always)
    public static func value<Model, Value>(
        _ value: Value,
        of property: KeyPath<Model, Value>
    ) -> Value {
        value
    }

    @usableFromInline
    @inline(never)
    func failure(_ error: SlotError, _ slot: Slot) -> DBClientError {
        let field = fieldSchema(at: next - first - 1)
        return DBClientError(
            .decoding,
            error.message(reading: slot, as: field?.type),
            entity: entity.takeUnretainedValue().name,
            field: field?.name
        )
    }

    @usableFromInline
    @inline(never)
    func failure(_ error: any Error) -> DBClientError {
        if let error = error as? DBClientError { return error }
        return DBClientError(
            .decoding,
            "The stored JSON must decode as the field's type.",
            entity: entity.takeUnretainedValue().name,
            field: fieldSchema(at: next - first - 1)?.name,
            underlying: error
        )
    }

    @usableFromInline
    @inline(never)
    func tooManyReads() -> DBClientError {
        DBClientError(
            .invalidSchema,
            "init(row:) must not read more fields than the schema has.",
            entity: entity.takeUnretainedValue().name
        )
    }

    private func fieldSchema(at column: Int) -> FieldSchema? {
        let schema = entity.takeUnretainedValue()
        let columnCount = end - first
        if columnCount == schema.fields.count { return schema.fields[column] }
        if columnCount == schema.primaryKey.count {
            return schema.fields[schema.primaryKey[column]]
        }
        return nil
    }
}

/// Rows that an engine delivers together: `columnCount` slots for each row, one row after another.
///
/// A batch and what its slots point at are valid only inside the call that received it.
@frozen
public struct RowBatch {
    /// The first slot of the first row; those of the others follow, row by row.
    public let slots: UnsafePointer<Slot>
    /// The number of slots of a row.
    public let columnCount: Int
    /// The number of rows in the batch.
    public let count: Int
    /// How many rows, these included, are still to come as far as the engine can tell; 0 when it cannot.
    public var expectedCount = 0
    @usableFromInline let entity: Unmanaged<EntitySchema>

    /// Creates a batch over slots that outlive it.
    @inlinable
    public init(
        slots: UnsafePointer<Slot>,
        columnCount: Int,
        count: Int,
        entity: EntitySchema
    ) {
        self.slots = slots
        self.columnCount = columnCount
        self.count = count
        self.entity = Unmanaged.passUnretained(entity)
    }

    /// Returns a reader of one row.
    @inlinable
    @inline(__always)
    public func reader(at row: Int) -> RowReader {
        RowReader(first: slots + row * columnCount, columnCount: columnCount, entity: entity)
    }

    /// Returns the slot of a column of a row.
    @inlinable
    @inline(__always)
    public subscript(row: Int, column: Int) -> Slot {
        slots[row * columnCount + column]
    }

    /// Returns some rows as a batch of their own.
    func rows(_ range: Range<Int>) -> RowBatch {
        RowBatch(
            slots: slots + range.lowerBound * columnCount,
            columnCount: columnCount,
            count: range.count,
            entity: entity.takeUnretainedValue()
        )
    }

    /// Returns one row as a batch of its own.
    @inlinable
    public func row(_ index: Int) -> RowBatch {
        RowBatch(
            slots: slots + index * columnCount,
            columnCount: columnCount,
            count: 1,
            entity: entity.takeUnretainedValue()
        )
    }
}
