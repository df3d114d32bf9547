extension Stored {
    /// Whether some values have integer keys of their own, and others are to get theirs from the store.
    static func mixKeys(_ values: [Self]) -> Bool {
        let entity = schema.entity
        guard values.count > 1, entity.keyGeneration == .generated, entity.integerKey != nil else {
            return false
        }
        let isMade = values[0].primaryKey.integer == 0
        return values.contains { ($0.primaryKey.integer == 0) != isMade }
    }
}
