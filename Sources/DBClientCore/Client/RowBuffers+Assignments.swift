extension RowBuffers {
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
            assignments = buffer
        }
        return try body(buffer)
    }

    private func takeAssignmentBuffer(_ entity: EntitySchema) throws -> AssignmentBuffer {
        if let kept = assignments.take() {
            // Nothing else is kept there.
            let buffer = unsafeDowncast(kept, to: AssignmentBuffer.self)
            if buffer.entity === entity {
                buffer.removeAll()
                return buffer
            }
        }
        try entity.validate()
        return try AssignmentBuffer(entity)
    }
}
