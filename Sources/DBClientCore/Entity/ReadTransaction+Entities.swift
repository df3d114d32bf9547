extension ReadTransaction {
    /// The live rows of the transaction.
    ///
    /// What they read and write goes past the decorators of a client.
    ///
    /// - Throws: `.transactionEnded` after its end, `.unsupported` in a write of a client that checks what is
    ///   written.
    public var entities: EntityContext {
        get throws {
            guard reachesRows else {
                throw DBClientError(
                    .unsupported,
                    "A client that checks what is written, or that only reads, has no live rows in a write."
                )
            }
            return try openEntities()
        }
    }
}
