extension ReadTransaction {
    /// The live rows of the transaction.
    ///
    /// - Throws: `.transactionEnded` after its end, `.unsupported` when the transaction is not one
    ///   of an engine.
    public var entities: EntityContext {
        get throws {
            guard let transaction = self as? EngineReadTransaction else {
                throw DBClientError(
                    .unsupported,
                    "Only transactions that run on an engine have live rows."
                )
            }
            return try transaction.openEntities()
        }
    }
}
