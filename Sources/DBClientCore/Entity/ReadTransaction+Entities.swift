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
                    "A client that validates or only reads must not be used for entities in a write."
                )
            }
            return try openEntities()
        }
    }
}
