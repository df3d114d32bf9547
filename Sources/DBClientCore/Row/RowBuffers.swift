/// Reused memory for what a transaction sends to its engine: the entity it last worked on has its
/// buffers at hand.
public final class RowBuffers {
    @exclusivity(unchecked) @usableFromInline var keyBuffer: RowBuffer?
    @exclusivity(unchecked) private var rowBuffer: RowBuffer?

    /// The buffer in which the calls above put assignments together.
    @exclusivity(unchecked) var assignments: AnyObject?

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
