package import DBClientCore

/// How often a transaction asked the engine, for tests.
package struct ObjectStoreUse: Equatable {
    /// How often it went through a table or an index, or through a list of keys.
    package var passCount = 0
    /// How many keys those lists had.
    package var keyCount = 0

    init() {}

    /// What a reader has asked so far; nil for one of another engine.
    package init?(of reader: any EngineReader) {
        guard let reader = reader as? StoreReader else { return nil }
        self = reader.use
    }

    /// Returns the difference from an earlier count of the same transaction.
    package func since(_ before: ObjectStoreUse) -> ObjectStoreUse {
        var copy = self
        copy.passCount -= before.passCount
        copy.keyCount -= before.keyCount
        return copy
    }
}
