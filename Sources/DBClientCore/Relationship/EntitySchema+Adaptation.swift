extension EntitySchema {
    /// Returns another shape of the entity with the relationships of this one, those left out whose columns
    /// it has no more.
    ///
    /// - Parameters:
    ///   - shape: The entity as it is now.
    ///   - surplus: The names of fields that are stored beside its own.
    /// - Returns: The entity, with the surplus fields that a relationship needs behind its own.
    /// - Throws: `.migrationRequired` when the columns of one no longer stand side by side.
    func relationships(in shape: EntitySchema, surplus: [String]) throws -> EntitySchema {
        var fields = shape.fields
        func position(of field: FieldSchema) -> Int? {
            let found = fields.firstIndex { $0.name.utf8.elementsEqual(field.name.utf8) }
            if let found { return found }
            guard surplus.contains(where: { $0.utf8.elementsEqual(field.name.utf8) }) else {
                return nil
            }
            fields.append(field)
            return fields.count - 1
        }
        let kept = try relationships.compactMap { relationship -> RelationshipSchema? in
            let columns = relationship.columns.compactMap { position(of: self.fields[$0]) }
            guard columns.count == relationship.columns.count else { return nil }
            if let first = columns.first, columns != Array(first..<first + columns.count) {
                throw shape.migrationRequired(
                    "The columns of a relationship must stay next to each other.",
                    relationship.name
                )
            }
            return relationship.moved(to: columns)
        }
        return EntitySchema(
            name: shape.name,
            fields: fields,
            primaryKey: shape.primaryKey,
            keyGeneration: shape.keyGeneration,
            indexes: shape.indexes,
            relationships: kept,
            failure: nil
        )
    }
}

extension EntitySchema {
    /// Returns the entity with the relationships of a model of its fields, in the place of those of their names.
    func taking(_ own: [RelationshipSchema]) -> EntitySchema {
        if own.isEmpty { return self }
        let others = relationships.filter { kept in !own.contains { $0.name == kept.name } }
        return EntitySchema(
            name: name,
            fields: fields,
            primaryKey: primaryKey,
            keyGeneration: keyGeneration,
            indexes: indexes,
            relationships: own + others,
            failure: nil
        )
    }

    /// Whether another entity has the same fields and relationships, even if with other rules.
    func differsInRulesAlone(from other: EntitySchema) -> Bool {
        guard exactName == other.exactName, fields.count == other.fields.count,
            primaryKey.map({ fields[$0].name }) == other.primaryKey.map({ other.fields[$0].name }),
            relationships.count == other.relationships.count
        else { return false }
        func hasField(_ field: FieldSchema) -> Bool {
            other.position(of: field.name).map { other.fields[$0].holds(field) } ?? false
        }
        return fields.allSatisfy(hasField)
            && relationships.allSatisfy { relationship in
                other.relationships.contains { found in
                    found.name == relationship.name
                        && found.isAlike(relationship, butForRules: true)
                        && found.columns.map { other.fields[$0].name }
                            == relationship.columns.map { fields[$0].name }
                }
            }
    }
}

extension RelationshipSchema {
    /// Whether another relationship holds the same and does the same when that is deleted.
    func isAlike(_ other: RelationshipSchema, butForRules: Bool = false) -> Bool {
        kind == other.kind && (butForRules || rule == other.rule)
            && targetName.utf8.elementsEqual(other.targetName.utf8)
    }
}

extension EngineWriter {
    /// Whether something is stored of an entity, in the shape that it has.
    func isStored(_ entity: EntitySchema) throws -> Bool {
        let difference: ShapeDifference?
        do {
            difference = try self.difference(from: entity)
        } catch let error as DBClientError where error.code == .unsupported {
            // An engine that tells no shapes, such as a preview.
            return try count(RowQuery(entity)) > 0
        }
        guard let difference, difference.fits else { return false }
        return try entity.relationships.compactMap(\.link?.entity).allSatisfy { link in
            try self.difference(from: link)?.fits ?? true
        }
    }
}

extension RelationshipSchema {
    /// Returns the relationship as the store alone knows it, in other columns of its owner.
    fileprivate func moved(to columns: [Int]) -> RelationshipSchema {
        RelationshipSchema(
            name: name,
            kind: kind,
            columns: columns,
            link: link,
            rule: rule,
            related: nil,
            storedTarget: targetName,
            isByReference: true,
            slot: 0
        )
    }
}
