/// A column whose text is searched.
struct SearchedColumn: Sendable {
    /// The position among the columns of the model, or of the struct that has it.
    let position: Int
    /// How much a word of it counts in a score.
    let weight: Double
    /// Whether the property is a text.
    let isText: Bool

    func moved(by distance: Int) -> SearchedColumn {
        SearchedColumn(position: position + distance, weight: weight, isText: isText)
    }

    /// Returns what is wrong with the declaration, if anything is.
    func failure(in columns: [FieldSchema], of entity: String) -> DBClientError? {
        func failure(_ message: String) -> DBClientError {
            DBClientError(.invalidSchema, message, entity: entity, field: columns[position].name)
        }
        guard isText else {
            return failure(
                "A searchable property must hold text; it holds \(columns[position].type.name)."
            )
        }
        guard weight > 0, weight <= 1000 else {
            return failure(
                "The weight of a searchable property must be above 0 and at most 1,000; got \(weight)."
            )
        }
        return nil
    }
}
