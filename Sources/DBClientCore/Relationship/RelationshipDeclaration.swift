/// A relationship as a field of a schema declares it, before its owner's key is known.
struct RelationshipDeclaration: Sendable {
    let name: String
    let kind: RelationshipSchema.Kind
    let isRequired: Bool
    let isByReference: Bool
    let rule: DeleteRule
    /// The fields of the related primary key; none when the key does not list them.
    private(set) var targetKey: [FieldSchema]
    let related: RelatedModel

    init<Related: Stored>(
        _ name: String,
        _ kind: RelationshipSchema.Kind,
        of type: Related.Type,
        isRequired: Bool = false,
        isByReference: Bool = false,
        rule: DeleteRule
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.isByReference = isByReference
        self.rule = rule
        // The related schema itself is not asked: it may be under construction, for it may lead here.
        let related = RelatedModel(type)
        targetKey = Related.PrimaryKey.fields.flatMap(\.columns).map { part in
            FieldSchema(
                name: part.name,
                type: part.type,
                isOptional: part.isOptional,
                form: part.form.holding { related.entity().name }
            )
        }
        self.related = related
    }

    var isToMany: Bool { kind != .toOne }

    /// Returns the declaration with related keys that columns keep in a format.
    func storingKeys(as format: ColumnFormat) -> RelationshipDeclaration {
        var declaration = self
        declaration.targetKey = targetKey.map { $0.stored(as: format) }
        return declaration
    }

    /// The owner's columns of a to-one relationship.
    var columns: [FieldSchema] {
        guard kind == .toOne else { return [] }
        return targetKey.map { part in
            FieldSchema(
                name: targetKey.count == 1 ? name : "\(name)_\(part.name)",
                type: part.type,
                isOptional: !isRequired,
                form: part.form
            )
        }
    }

    /// Why the relationship cannot be, if it cannot.
    func failure(in entity: String) -> DBClientError? {
        if targetKey.isEmpty {
            return DBClientError(
                .invalidSchema,
                "The primary key of the related model must list its fields; it lists none.",
                entity: entity,
                field: name,
                hint: "Implement `fields` in the type of the primary key."
            )
        }
        if isRequired && rule == .nullify {
            return DBClientError(
                .invalidSchema,
                "A relationship with the rule `.nullify` must be optional.",
                entity: entity,
                field: name
            )
        }
        if isRequired && rule == .weak && !isByReference {
            return DBClientError(
                .invalidSchema,
                "A weak relationship by value must be optional, since its value may be missing.",
                entity: entity,
                field: name,
                hint: "Make the property optional, or a `Reference`."
            )
        }
        return nil
    }
}
