public import DBClientCore

extension DBClientError {
    /// The error for a violated foreign key of the database.
    ///
    /// The database does not say whether the row that refers was written or the other one deleted; where it was
    /// deleted, `denyingDeletion(of:)` says so.
    public static var brokenForeignKey: DBClientError {
        DBClientError(
            .danglingReference,
            "A foreign key of the database refers to a row that is not there.",
            hint: "Insert the row that is referred to first."
        )
    }

    /// Returns the same as the error of a deletion.
    func denyingDeletion(of entity: EntitySchema?) -> DBClientError {
        DBClientError(
            .deletionDenied,
            "A row is still referred to by another, which a foreign key of the database denies.",
            entity: entity?.name ?? self.entity,
            field: field,
            hint: "Delete or change the row that refers to it first.",
            engineCode: engineCode,
            engineMessage: engineMessage,
            underlying: underlying
        )
    }
}
