import Foundation

/// An entity and its relationships as a store keeps them, so that a rule holds for a client that
/// does not know the model.
struct StoredRelationships: Codable {
    fileprivate struct Shape: Codable {
        var name: String
        var fields: [Field]
        var primaryKey: [Int]
        var isGenerated: Bool
        var indexes: [Index]
    }

    fileprivate struct Field: Codable {
        var name: String
        var type: String
        var isOptional: Bool
    }

    fileprivate struct Index: Codable {
        var fields: [Int]
        var isUnique: Bool
    }

    fileprivate struct Relationship: Codable {
        var name: String
        var kind: RelationshipSchema.Kind
        var columns: [Int]
        var link: Shape?
        var target: String
        var rule: DeleteRule
    }

    private var entity: Shape
    private var relationships: [Relationship]

    init(_ entity: EntitySchema) {
        self.entity = Shape(entity)
        relationships = entity.relationships.map { relationship in
            Relationship(
                name: relationship.name,
                kind: relationship.kind,
                columns: relationship.columns,
                link: relationship.link.map { Shape($0.entity) },
                target: relationship.targetName,
                rule: relationship.rule
            )
        }
    }

    /// Returns the entity that is described; nil when any part of the description makes no sense, since
    /// a rule that is left out would be a rule that is broken.
    func schema() -> EntitySchema? {
        guard let plain = entity.schema(relationships: []) else { return nil }
        let found = relationships.compactMap { $0.schema(of: plain) }
        return found.count == relationships.count ? entity.schema(relationships: found) : nil
    }
}

extension StoredRelationships.Relationship {
    fileprivate func schema(of owner: EntitySchema) -> RelationshipSchema? {
        var link: LinkSchema?
        if kind == .toOne {
            guard self.link == nil, isKey(in: owner) else { return nil }
        } else {
            let linkOwner = LinkOwner(
                entity: owner.name,
                key: owner.primaryKey.map { owner.fields[$0].name }
            )
            guard columns.isEmpty,
                let entity = self.link?.schema(relationships: [], linkOwner: linkOwner),
                let made = LinkSchema(
                    entity: entity,
                    ownerKey: owner.primaryKey.map { owner.fields[$0] },
                    isOrdered: kind == .list
                )
            else { return nil }
            link = made
        }
        return RelationshipSchema(
            name: name,
            kind: kind,
            columns: columns,
            link: link,
            rule: rule,
            related: nil,
            storedTarget: target,
            isByReference: true,
            slot: 0
        )
    }

    /// Whether the columns can hold a key: one beside the other, absent where the rule may make them so, and called
    /// after the relationship where they are part of the owner's own key.
    private func isKey(in owner: EntitySchema) -> Bool {
        guard let first = columns.first, first >= 0, first < owner.fields.count,
            columns.count <= owner.fields.count - first,
            columns == Array(first..<first + columns.count)
        else { return false }
        let names = columns.map { owner.fields[$0].name }
        let isNamed =
            columns.count == 1 ? names == [name] : names.allSatisfy { $0.hasPrefix(name + "_") }
        return (isNamed || !columns.contains(where: owner.primaryKey.contains))
            && (rule != .nullify || columns.allSatisfy { owner.fields[$0].isOptional })
    }
}

extension StoredRelationships.Shape {
    fileprivate init(_ entity: EntitySchema) {
        name = entity.name
        fields = entity.fields.map {
            StoredRelationships.Field(
                name: $0.name,
                type: $0.type.name,
                isOptional: $0.isOptional
            )
        }
        primaryKey = entity.primaryKey
        isGenerated = entity.keyGeneration == .generated
        indexes = entity.indexes.map {
            StoredRelationships.Index(fields: $0.fields, isUnique: $0.isUnique)
        }
    }

    fileprivate func schema(
        relationships: [RelationshipSchema],
        linkOwner: LinkOwner? = nil
    ) -> EntitySchema? {
        let known = fields.compactMap { field in
            FieldType(named: field.type).map {
                FieldSchema(name: field.name, type: $0, isOptional: field.isOptional)
            }
        }
        guard known.count == fields.count,
            primaryKey.allSatisfy(fields.indices.contains),
            Set(primaryKey).count == primaryKey.count,
            indexes.allSatisfy({ $0.fields.allSatisfy(fields.indices.contains) })
        else { return nil }
        let schema = EntitySchema(
            name: name,
            fields: known,
            primaryKey: primaryKey,
            keyGeneration: isGenerated ? .generated : .given,
            indexes: indexes.map { IndexSchema(fields: $0.fields, isUnique: $0.isUnique) },
            relationships: relationships,
            linkOwner: linkOwner,
            failure: nil
        )
        return schema.failure == nil ? schema : nil
    }
}
