extension Stored {
    /// Returns the value with a primary key, or nil.
    @inlinable
    public static func find(
        key: PrimaryKey,
        in reader: any EngineReader,
        of client: any EngineBackedClient.Type
    ) throws -> Self? {
        let entity = schema.entity
        try entity.validate()
        guard entity.isFlat else { return try related(key: key, in: reader) }
        // Memory that holds nothing yet takes the value as it is made; a variable would be asked first
        // whether it holds one.
        return try withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { place in
            var isFound = false
            do {
                try withKey(key, of: entity, in: reader) { keys in
                    try reader.get(entity, keys: keys) { _, row in
                        var reader = row.reader(at: 0)
                        place.initializeElement(at: 0, to: try Self(row: &reader))
                        isFound = true
                    }
                }
            } catch {
                if isFound { place.deinitializeElement(at: 0) }
                throw error
            }
            return isFound ? place.moveElement(from: 0) : nil
        }
    }

    /// Calls a function with a primary key as the only row of a batch, valid until the next call with
    /// the same reader.
    @inlinable
    static func withKey<Value>(
        _ key: PrimaryKey,
        of entity: EntitySchema,
        in reader: any EngineReader,
        _ body: (RowBatch) throws -> Value
    ) throws -> Value {
        if entity.integerKey != nil, let integer = key.integer {
            // The commonest key borrows nothing, so it needs no buffer.
            return try withUnsafePointer(to: Slot.integer(integer)) { slot in
                try body(RowBatch(slots: slot, columnCount: 1, count: 1, entity: entity))
            }
        }
        let keys = reader.buffers.keys(of: entity)
        try encode(key: key, to: keys)
        return try keys.withBatch(body)
    }
}
