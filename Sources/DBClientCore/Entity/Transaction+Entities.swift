extension ReadTransaction {
    /// The live rows of the transaction.
    ///
    /// What they read and write goes past the decorators of a client.
    ///
    /// - Throws: `.transactionEnded` after its end, `.unsupported` when the transaction is not one
    ///   of an engine, or is one of a client that checks what is written.
    public var entities: EntityContext {
        get throws {
            guard
                let transaction = self as? EngineReadTransaction
                    ?? (self as? InterceptedReadTransaction)?.uncheckedTransaction
            else {
                throw DBClientError(
                    .unsupported,
                    "Only transactions that run on an engine have live rows."
                )
            }
            return try transaction.openEntities()
        }
    }
}
