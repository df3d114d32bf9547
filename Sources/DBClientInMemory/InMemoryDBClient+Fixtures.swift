public import DBClientCore

extension InMemoryDBClient {
    /// Creates a store that holds values of one model after another.
    ///
    /// ```swift
    /// let client = try InMemoryDBClient(holding: [ironMan, hulk], [marvel])
    /// ```
    ///
    /// - Throws: What inserting them throws; `.duplicateKey` for two of one key.
    public convenience init<each Model: Stored>(holding values: repeat [each Model]) throws {
        self.init()
        let values = (repeat each values)
        try writeBlocking { transaction in
            for models in repeat each values { _ = try transaction.insert(models) }
        }
    }
}
