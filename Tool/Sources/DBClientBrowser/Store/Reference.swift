import DBClientCore

/// A reference from rows of one entity to rows of another: a relationship, or a foreign key of the database.
struct Reference: Sendable {
    let name: String
    let owner: EntitySchema
    let target: EntitySchema
    let kind: RelationshipSchema.Kind
    /// The positions of the owner's fields with the values; empty for to-many.
    let columns: [Int]
    /// The positions of the target's fields that have the same values.
    let targetColumns: [Int]
    /// The links of a to-many relationship.
    var link: LinkSchema?
    /// What becomes of the owner when the target is deleted.
    let rule: DeleteRule
    /// Whether it is known from a foreign key of the database alone.
    var isForeignKey = false

    /// Returns the relationships of an entity that lead to entities of a catalog.
    static func relationships(of entity: EntitySchema, in catalog: EntityCatalog) -> [Reference] {
        entity.relationships.compactMap { relationship in
            guard
                let target = catalog.entities.first(where: { $0.name == relationship.targetName })
            else { return nil }
            return Reference(
                name: relationship.name,
                owner: entity,
                target: target,
                kind: relationship.kind,
                columns: relationship.columns,
                targetColumns: target.primaryKey,
                link: relationship.link,
                rule: relationship.rule
            )
        }
    }

    /// Returns the values of the target's fields that a row of the owner names; nil where one is absent, and for
    /// to-many.
    func values(of row: DynamicRow) -> [DynamicValue]? {
        guard link == nil else { return nil }
        let values = columns.map { row[owner.fields[$0].name] ?? .null }
        return values.contains(where: \.isNull) ? nil : values
    }

    /// Returns the request of the row that a row of the owner refers to; nil where it refers to none.
    func request(from row: DynamicRow) -> DynamicRequest? {
        guard let values = values(of: row) else { return nil }
        return DynamicRequest(target).filter(Self.condition(target, targetColumns, values))
    }

    /// Returns the condition of the owners, or of their links, that refer to a row; nil where none can.
    func holders(of row: DynamicRow) -> DynamicRequest? {
        let values = targetColumns.map { row[target.fields[$0].name] ?? .null }
        if values.contains(where: \.isNull) { return nil }
        let (holder, positions) = link.map { ($0.entity, $0.target) } ?? (owner, columns)
        guard positions.count == values.count else { return nil }
        return DynamicRequest(holder).filter(Self.condition(holder, positions, values))
    }

    /// Returns the request of the links of an owner in their order; nil for to-one.
    func links(of row: DynamicRow) -> DynamicRequest? {
        guard let link, link.owner.count == row.key.count else { return nil }
        return DynamicRequest(link.entity).filter(Self.condition(link.entity, link.owner, row.key))
    }

    /// Returns the key of the target, or of the owner, that a link has.
    func key(in link: DynamicRow, ofOwner: Bool) -> [DynamicValue] {
        guard let schema = self.link else { return [] }
        return (ofOwner ? schema.owner : schema.target).map {
            link[schema.entity.fields[$0].name] ?? .null
        }
    }

    private static func condition(
        _ entity: EntitySchema,
        _ columns: [Int],
        _ values: [DynamicValue]
    ) -> DynamicCondition {
        let parts = zip(columns, values).map { column, value in
            DynamicCondition.field(entity.fields[column].name, .equal, value)
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }
}
