/// A model, or an entity, that a copy was asked for.
struct CopiedModel: Sendable {
    /// Returns how a transaction keeps it.
    let entity: @Sendable (ReadTransaction) -> EntitySchema

    /// A model in the shape that a client keeps.
    init<Model: StoredConvertible>(_ model: Model.Type) {
        entity = { Model.mapping(in: $0).entity }
    }

    /// An entity that is copied without a model, in the shape in which it is stored.
    init(_ entity: EntitySchema) {
        self.entity = { _ in entity }
    }
}

extension [CopiedModel] {
    /// Returns the entities that a copy is of: those that were asked for, and then all that their values
    /// lead to.
    ///
    /// - Throws: `.unsupported` for a model that the two stores keep in different shapes.
    func entities(
        from source: ReadTransaction,
        to target: ReadTransaction
    ) throws -> [EntitySchema] {
        guard !isEmpty else {
            throw DBClientError(.invalidRequest, "A copy must name at least one model.")
        }
        return try map { model in
            let entity = model.entity(source)
            guard entity === model.entity(target) else {
                throw DBClientError(
                    .unsupported,
                    "The two stores must keep the model in the same shape.",
                    entity: entity.name,
                    hint: "Fetch the values from one store and insert them into the other."
                )
            }
            return entity
        }
        .withRelated { name in
            // Nothing can refer to what the source never had.
            guard let shapes = try? source.reader().shapes() else { return false }
            return !shapes.contains { EntityName($0.name) == name }
        }
    }
}

extension [EntitySchema] {
    /// Returns each entity once, followed by those that its values lead to.
    ///
    /// Of a relationship that is known from a store alone, the function says whether the store has nothing under the
    /// name that it leads to.
    func withRelated(isMissing: (EntityName) -> Bool) throws -> [EntitySchema] {
        var found: [EntitySchema] = []
        var named: [EntityName: EntitySchema] = [:]
        func add(_ entity: EntitySchema) throws {
            try entity.validate()
            if let other = named.updateValue(entity, forKey: entity.exactName) {
                if other === entity { return }
                throw DBClientError(
                    .invalidRequest,
                    "The models of a copy must have different stored names; two have this one.",
                    entity: entity.name
                )
            }
            found.append(entity)
        }
        for entity in self { try add(entity) }
        var next = 0
        while next < found.count {
            let entity = found[next]
            next += 1
            for relationship in entity.relationships {
                // A relationship that is known from a store alone has a name for what it leads to.
                let name = relationship.targetName
                guard let target = relationship.target ?? named[EntityName(name)] else {
                    if isMissing(EntityName(name)) { continue }
                    throw DBClientError(
                        .invalidRequest,
                        "The copy must include the entity \(name), which the relationship leads to.",
                        entity: entity.name,
                        field: relationship.name
                    )
                }
                try add(target)
            }
        }
        return found
    }
}
