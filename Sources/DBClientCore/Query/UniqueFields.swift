/// Fields of a model whose values are unique together, by which a stored value is found instead of by its key.
///
/// ```swift
/// try await client.upsert(accounts, by: \.tenant, \.login)
/// ```
public struct UniqueFields: Hashable, Sendable {
    /// The stored names of the fields, in the order of the index.
    public let names: [String]

    /// Finds the index over properties of a model.
    ///
    /// - Throws: `.invalidRequest` when one of them is not stored, or when the model has no unique index over exactly
    ///   these.
    init<Model: Stored>(_ keyPaths: [PartialKeyPath<Model>], of model: Model.Type) throws {
        let entity = Model.schema.entity
        try entity.validate()
        var columns: [Int] = []
        for keyPath in keyPaths {
            guard let found = Model.schema.columns(of: keyPath), !found.isEmpty else {
                throw entity.notStored(keyPath)
            }
            columns += found
        }
        names = try entity.uniqueKey(columns).map { entity.fields[$0].name }
    }

    /// Returns the positions of the fields in a stored shape of the model.
    ///
    /// - Throws: `.invalidRequest` when the shape lacks one of them, or a unique index over them.
    func columns(of entity: EntitySchema) throws -> [Int] {
        let columns = try names.map { name in
            guard let column = entity.position(of: name) else {
                throw DBClientError(
                    .invalidRequest,
                    "The field must be part of the shape in which this engine stores the model.",
                    entity: entity.name,
                    field: name
                )
            }
            return column
        }
        return try entity.uniqueKey(columns)
    }
}

extension EntitySchema {
    /// Returns the unique key that has exactly some fields, in its order.
    fileprivate func uniqueKey(_ columns: [Int]) throws -> [Int] {
        let wanted = Set(columns)
        if let key = uniqueKeys.first(where: { Set($0) == wanted }) { return key }
        let names = columns.map { fields[$0].name }
        let listed = names.map { "\\.\($0)" }.joined(separator: ", ")
        throw DBClientError(
            .invalidRequest,
            "A stored value must be found by fields that are unique; the model has no unique index over exactly these.",
            entity: name,
            field: names.joined(separator: ", "),
            hint: columns.count == 1
                ? "Declare the property as @Unique."
                : "Add .unique(\(listed)) to the model's indexes."
        )
    }
}
