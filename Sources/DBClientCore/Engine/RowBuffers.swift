/// Reused memory for what a transaction sends to its engine: the entity it last worked on has its
/// buffers at hand.
public final class RowBuffers {
    @exclusivity(unchecked) @usableFromInline var keyBuffer: RowBuffer?
    @exclusivity(unchecked) private var rowBuffer: RowBuffer?

    @exclusivity(unchecked) private var assignmentBuffer: AssignmentBuffer?

    /// Creates buffers for one reader, used by one thread at a time.
    public init() {}

    /// Returns an empty buffer for keys of an entity.
    @inlinable
    public func keys(of entity: EntitySchema) -> RowBuffer {
        if let keyBuffer, keyBuffer.entity === entity {
            keyBuffer.removeAll()
            return keyBuffer
        }
        return makeKeyBuffer(entity)
    }

    @usableFromInline
    @inline(never)
    func makeKeyBuffer(_ entity: EntitySchema) -> RowBuffer {
        let buffer = RowBuffer(entity, columns: entity.primaryKey)
        keyBuffer = buffer
        return buffer
    }

    /// Runs a body with an empty buffer for assignments to an entity.
    ///
    /// The body may write meanwhile, which takes another buffer.
    @inline(__always)
    func withAssignments<Value>(
        to entity: EntitySchema,
        _ body: (AssignmentBuffer) throws -> Value
    ) throws -> Value {
        let buffer = try takeAssignmentBuffer(entity)
        defer {
            // Functions and values of the caller's are not kept.
            if !buffer.isPlain { buffer.removeAll() }
            assignmentBuffer = buffer
        }
        return try body(buffer)
    }

    private func takeAssignmentBuffer(_ entity: EntitySchema) throws -> AssignmentBuffer {
        if let buffer = assignmentBuffer.take(), buffer.entity === entity {
            buffer.removeAll()
            return buffer
        }
        try entity.validate()
        return try AssignmentBuffer(entity)
    }

    /// Returns an empty buffer for whole rows of an entity.
    public func rows(of entity: EntitySchema) -> RowBuffer {
        if let rowBuffer, rowBuffer.entity === entity {
            rowBuffer.removeAll()
            return rowBuffer
        }
        let buffer = RowBuffer(entity)
        rowBuffer = buffer
        return buffer
    }
}
