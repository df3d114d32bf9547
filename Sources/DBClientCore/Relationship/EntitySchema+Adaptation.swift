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
                    "The columns of a relationship no longer stand side by side.",
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
