// What every engine says alike.
extension DBClientError {
    /// A sum over a field leaves the range of `Int64`, or that of `Decimal`.
    public static func sumOutOfRange(_ entity: EntitySchema, _ field: FieldSchema?) -> DBClientError
    {
        DBClientError(
            .invalidValue,
            field?.type == .decimal
                ? "The sum is no decimal of at most 38 significant digits."
                : "The sum leaves the range of Int64.",
            entity: entity.name,
            field: field?.name
        )
    }

    /// What is added up of a field holds something that is no decimal.
    static func damagedDecimal(_ entity: EntitySchema, _ field: FieldSchema) -> DBClientError {
        DBClientError(
            .decoding,
            "A stored value is no decimal.",
            entity: entity.name,
            field: field.name
        )
    }

    /// A stored value is of another kind than its field.
    public static func misfit(
        _ kind: Slot.Kind,
        _ entity: EntitySchema?,
        _ field: FieldSchema?
    ) -> DBClientError {
        DBClientError(
            .decoding,
            "Found \(kind) where a stored \(field?.type.name ?? "value") belongs.",
            entity: entity?.name,
            field: field?.name
        )
    }
}
