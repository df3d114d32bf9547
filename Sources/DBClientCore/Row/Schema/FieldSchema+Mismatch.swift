extension FieldSchema {
    /// Returns the error of stored values that are not what a model's field says, and why.
    ///
    /// - Parameters:
    ///   - entity: The model's entity.
    ///   - form: What the values were written as.
    ///   - isOptional: Whether they may be absent.
    /// - Returns: The error.
    public func mismatch(
        of entity: EntitySchema,
        writtenAs form: FieldForm,
        isOptional: Bool
    ) -> DBClientError {
        let message =
            if !form.fits(self.form) {
                "The stored field is \(form); the model's is \(self.form)."
            } else if isOptional {
                "The stored field may be absent; the model's may not."
            } else {
                "The stored field may not be absent; the model's may."
            }
        return DBClientError(
            .schemaMismatch,
            message,
            entity: entity.name,
            field: name,
            hint: """
                Another version of the model wrote the store, or another model of this name. Migrate the \
                store to the model: client.migrate(_:).
                """
        )
    }
}
