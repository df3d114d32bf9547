// What is held through relationships, as entities: the one object of each row.
extension ManagedEntity {
    /// Returns the entity that is held.
    ///
    /// Entities in use beside this one have theirs loaded with it, by one call.
    ///
    /// - Throws: `.invalidRequest` when the property is no relationship of the entity,
    ///   `.danglingReference` when a stored key names nothing.
    public func entity<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related>
    ) throws -> ManagedEntity {
        try required(keyPath)
    }

    /// Returns the entity that is held, or nil; also where it is gone and the rule of the relationship is to
    /// nullify.
    public func entity<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related?>
    ) throws -> ManagedEntity? {
        try target(relationship(keyPath))
    }

    /// Returns the entity that is referred to.
    public func entity<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>>
    ) throws -> ManagedEntity {
        try required(keyPath)
    }

    /// Returns the entity that is referred to, or nil.
    public func entity<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>?>
    ) throws -> ManagedEntity? {
        try target(relationship(keyPath))
    }

    /// Returns the entities that are held or referred to; those of a list in its order, those of a set in
    /// that of their primary keys.
    ///
    /// Entities in use beside this one have theirs loaded with it, by two calls.
    public func entities<Model: Stored, Value: ToManyValue>(
        _ keyPath: KeyPath<Model, Value>
    ) throws -> [ManagedEntity] {
        try elements(relationship(keyPath))
    }

    /// Sets the entity that is held.
    ///
    /// - Throws: `.invalidRequest` for an entity of another context or another model, `.notFound` for
    ///   one that was deleted.
    @_disfavoredOverload
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related>,
        to entity: ManagedEntity
    ) throws {
        try hold(entity, keyPath)
    }

    /// Sets the entity that is held, or nil.
    @_disfavoredOverload
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Related?>,
        to entity: ManagedEntity?
    ) throws {
        try hold(entity, keyPath)
    }

    /// Sets the entity that is referred to.
    @_disfavoredOverload
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>>,
        to entity: ManagedEntity
    ) throws {
        try hold(entity, keyPath)
    }

    /// Sets the entity that is referred to, or nil.
    @_disfavoredOverload
    public func set<Model: Stored, Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>?>,
        to entity: ManagedEntity?
    ) throws {
        try hold(entity, keyPath)
    }

    /// Sets the entities that are held or referred to.
    @_disfavoredOverload
    public func set<Model: Stored, Value: ToManyValue>(
        _ keyPath: KeyPath<Model, Value>,
        to entities: [ManagedEntity]
    ) throws {
        let index = try relationship(keyPath)
        _ = try context.openWriter()
        for entity in entities { try checkHolds(entity, index) }
        try replace(list: index, by: entities.map { .entity($0) })
    }

    private func required<Model: Stored>(
        _ keyPath: PartialKeyPath<Model>
    ) throws -> ManagedEntity {
        let index = try relationship(keyPath)
        if let target = try target(index) { return target }
        throw DBClientError(
            .danglingReference,
            "A required relationship must lead to an entity; it leads to none.",
            entity: schema.name,
            field: schema.relationships[index].name
        )
    }

    private func hold<Model: Stored>(
        _ entity: ManagedEntity?,
        _ keyPath: PartialKeyPath<Model>
    ) throws {
        let index = try relationship(keyPath)
        _ = try context.openWriter()
        try prepare()
        if let entity { try checkHolds(entity, index) }
        try replace(relationship: index, by: entity)
    }

    private func checkHolds(_ entity: ManagedEntity, _ index: Int) throws {
        let relationship = schema.relationships[index]
        guard entity.context === context else {
            throw DBClientError(
                .invalidRequest,
                "The entity must belong to the same context; it belongs to another.",
                entity: schema.name,
                field: relationship.name
            )
        }
        try entity.prepare()
        guard relationship.target === entity.schema else {
            throw DBClientError(
                .invalidRequest,
                "The relationship must lead to \(relationship.targetName); got \(entity.schema.name).",
                entity: schema.name,
                field: relationship.name
            )
        }
    }

    /// Returns the position of the relationship that a property is.
    func relationship<Model: Stored>(_ keyPath: PartialKeyPath<Model>) throws -> Int {
        try checkType(Model.self)
        guard let found = Model.schema.relationship(of: keyPath),
            let index = schema.relationships.firstIndex(where: { $0 === found })
        else {
            throw DBClientError(
                .invalidRequest,
                "The \((keyPath as AnyKeyPath).named) must be a relationship.",
                entity: schema.name
            )
        }
        return index
    }
}
