// The names under which to-many relationships are kept, which a store has once.
extension RelationshipRegistry {
    /// Throws when a relationship would be kept under the name of another one or of an entity, and when
    /// an entity has the name of a relationship's links.
    ///
    /// Links are named by their owner and field, so two pairs may come to one name, and links of the same
    /// shape would be confused.
    func checkNames(of entity: EntitySchema) throws {
        let others = owners.filter { $0.exactName != entity.exactName }
        for relationship in entity.relationships {
            guard let link = relationship.link?.entity else { continue }
            if let (owner, other) = Self.holder(of: link, among: others) {
                throw Self.taken(
                    "The relationship must not be stored under the name \"\(link.name)\", as is"
                        + " \"\(other.name)\" of \(owner.name).",
                    entity,
                    relationship
                )
            }
            if let other = ([Self.entity, entity] + others).first(where: { link.isNamed(like: $0) })
            {
                throw Self.taken(
                    "The relationship must not be stored under the name of the entity \(other.name).",
                    entity,
                    relationship
                )
            }
        }
        if let (owner, other) = Self.holder(of: entity, among: others) {
            throw Self.taken(
                "The stored name must not be that of the relationship \"\(other.name)\" of \(owner.name).",
                entity
            )
        }
    }

    /// Returns the relationship that is kept under an entity's name, and its owner.
    private static func holder(
        of entity: EntitySchema,
        among owners: [EntitySchema]
    ) -> (EntitySchema, RelationshipSchema)? {
        for owner in owners {
            for relationship in owner.relationships
            where relationship.link?.entity.isNamed(like: entity) ?? false {
                return (owner, relationship)
            }
        }
        return nil
    }

    private static func taken(
        _ message: String,
        _ entity: EntitySchema,
        _ relationship: RelationshipSchema? = nil
    ) -> DBClientError {
        DBClientError(
            .schemaMismatch,
            message,
            entity: entity.name,
            field: relationship?.name,
            hint: "Give one of the two another stored name with `@StoredName`."
        )
    }
}

extension EntitySchema {
    /// Whether two names are the same to some engine: equal except for the case of A to Z.
    fileprivate func isNamed(like other: EntitySchema) -> Bool {
        asciiFolded(name).elementsEqual(asciiFolded(other.name))
    }
}
