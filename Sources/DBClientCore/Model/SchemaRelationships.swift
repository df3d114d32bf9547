/// The relationships of a schema under construction, and the slots that its model sees.
struct SchemaRelationships {
    private let entity: String
    private var declarations: [(field: RelationshipDeclaration, column: Int, slot: Int)] = []
    private var slots: [FieldSchema] = []
    /// The position in `slots` of each column of the layout.
    private(set) var layoutColumns: [Int] = []
    private(set) var positions: [AnyKeyPath: Int] = [:]
    private(set) var failure: DBClientError?

    init(_ entity: String) {
        self.entity = entity
    }

    /// Adds the next field, whose first column is at a position.
    mutating func add<Model>(_ field: SchemaField<Model>, at column: Int) {
        if let relationship = field.relationship {
            positions[field.keyPath] = declarations.count
            declarations.append((relationship, column, slots.count))
            failure = failure ?? relationship.failure(in: entity)
            if relationship.isToMany {
                // Nothing is written there; a loaded row has the place of its list.
                slots.append(
                    FieldSchema(
                        name: relationship.name,
                        type: .integer(bits: 64, signed: true),
                        isOptional: true
                    )
                )
                return
            }
        }
        for column in field.columns {
            layoutColumns.append(slots.count)
            slots.append(column)
        }
    }

    /// Returns the relationships, now that the owner's primary key is known.
    ///
    /// - Parameters:
    ///   - ownerKey: The fields of the primary key.
    ///   - shard: The place of the shard key among them; nil where there is none.
    ///   - owner: Returns the entity, once it is made.
    /// - Returns: The relationships, in the order of their declaration.
    func schemas(
        ownerKey: [FieldSchema],
        shard: Int?,
        owner: @escaping @Sendable () -> EntitySchema
    ) -> [RelationshipSchema] {
        declarations.map { field, column, slot in
            RelationshipSchema(
                name: field.name,
                kind: field.kind,
                columns: field.isToMany
                    ? [] : Array(column..<column + field.targetKey.count),
                link: field.isToMany
                    ? LinkSchema(
                        name: LinkSchema.name(owner: entity, field: field.name),
                        ownerName: entity,
                        ownerKey: ownerKey,
                        targetKey: field.targetKey,
                        isOrdered: field.kind == .list,
                        shard: shard,
                        targetShard: {
                            let target = field.related.entity()
                            guard owner().isKeptTogether(with: target) else { return nil }
                            return target.primaryKey.firstIndex { $0 == target.shardKey }
                        }
                    ) : nil,
                rule: field.rule,
                related: field.related,
                isByReference: field.isByReference,
                slot: slot
            )
        }
    }

    /// Returns the slots as an entity that no engine sees; the entity itself when they are its
    /// columns.
    func layout(of entity: EntitySchema) -> EntitySchema {
        guard slots.count > entity.fields.count else { return entity }
        return EntitySchema(
            name: entity.name,
            fields: slots,
            primaryKey: entity.primaryKey.map { layoutColumns[$0] },
            keyGeneration: entity.keyGeneration,
            indexes: [],
            failure: entity.failure
        )
    }
}
