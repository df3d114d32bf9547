/// The fields of a model that a search looks at.
struct SearchedFields<Model: StoredConvertible> {
    private let columns: [(position: Int, weight: Double)]
    private let entity: EntitySchema

    /// Finds the fields of properties, or those that are declared as searchable where none are named.
    ///
    /// - Throws: `.invalidRequest` where there are none, or one is no text.
    init(_ properties: [PartialKeyPath<Model.Storage>]) throws {
        let schema = Model.Storage.schema
        let declared = schema.embedded.searched
        entity = schema.entity
        if properties.isEmpty {
            columns = declared.map { ($0.position, $0.weight) }
            if !columns.isEmpty { return }
            throw DBClientError(
                .invalidRequest,
                "A model that is searched must have a searchable text; it has none.",
                entity: entity.name,
                hint:
                    "Mark one with @Searchable, or name the fields: matching(query, in: \\.title)."
            )
        }
        let entity = entity
        columns = try properties.map { property in
            guard let position = schema.position(of: property),
                schema.relationship(of: property) == nil,
                entity.fields[position].type == .text
            else {
                throw DBClientError(
                    .invalidRequest,
                    "A field that is searched must be a stored text; the \(property.named) is not.",
                    entity: entity.name
                )
            }
            return (position, declared.first { $0.position == position }?.weight ?? 1)
        }
    }

    /// The fields as operands of a search.
    var expressions: [RowExpression] { columns.map { .field($0.position) } }

    /// Returns the search of the fields.
    func plan(_ query: SearchQuery) throws -> SearchPlan {
        try query.plan(
            searching: columns.map { entity.fields[$0.position].name },
            weights: columns.map(\.weight),
            of: entity.name
        )
    }
}
