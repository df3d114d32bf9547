extension EngineReader {
    /// Visits the rows with the keys of a buffer, in any order.
    func lookUp(_ keys: RowBuffer, _ visit: (RowBatch) throws -> Void) throws {
        try keys.withBatch { try lookUp(keys.entity, keys: $0, visit) }
    }
}
