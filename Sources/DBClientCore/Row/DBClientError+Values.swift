// The errors of stored values, which every engine words alike.
extension DBClientError {
    /// A sum over a field leaves the range of `Int64`, or that of `Decimal`.
    public static func sumOutOfRange(_ entity: EntitySchema, _ field: FieldSchema?) -> DBClientError
    {
        DBClientError(
            .invalidValue,
            field?.type == .decimal
                ? "The sum must be a decimal of at most 38 significant digits."
                : "The sum must be within the range of Int64.",
            entity: entity.name,
            field: field?.name
        )
    }

    /// The error of a sum over a field with a stored value that is no decimal.
    static func damagedDecimal(_ entity: EntitySchema, _ field: FieldSchema) -> DBClientError {
        DBClientError(
            .decoding,
            "The stored values of the field must be decimals.",
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
            "The value must be a stored \(field?.type.name ?? "value"); found \(kind).",
            entity: entity?.name,
            field: field?.name
        )
    }
}

extension EntitySchema {
    /// Returns the error of an update of a row that is not stored.
    func nothingToUpdate() -> DBClientError {
        DBClientError(
            .notFound,
            "There is no row with this primary key to update.",
            entity: name
        )
    }

    /// Runs a body that encodes a value of a field, and names the field in what it throws.
    func naming<Value>(_ column: Int, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch var error as DBClientError {
            error.entity = name
            error.field = fields.indices.contains(column) ? fields[column].name : nil
            throw error
        }
    }
}
