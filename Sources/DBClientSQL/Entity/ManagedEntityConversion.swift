import DBClientCore

/// Keeps a model by way of the transaction's live rows.
struct ManagedEntityConversion<Model: ManagedEntityConvertible>: ModelConversion {
    typealias Shape = Model.Entity

    func models(_ shapes: [Shape], in transaction: any ReadTransaction) throws -> [Model] {
        try models(of: transaction.entities.entities(of: shapes))
    }

    func find(_ keys: [Model.PrimaryKey], in transaction: any ReadTransaction) throws -> [Model] {
        try models(of: transaction.entities.find(Shape.self, keys: keys))
    }

    func fetch(
        _ request: FetchRequest<Model>,
        in transaction: any ReadTransaction
    ) throws -> [Model] {
        try models(of: transaction.entities.fetch(self.request(request)))
    }

    func insert(_ values: [Model], in transaction: any WriteTransaction) throws -> [Model] {
        try transaction.write { transaction in
            let context = try transaction.entities
            let entities = try values.map { try upsert($0, in: context, existing: nil) }
            try context.flush()
            return try models(of: entities)
        }
    }

    func update(_ values: [Model], in transaction: any WriteTransaction) throws {
        _ = try update(values, in: transaction) { value in
            throw DBClientError(
                .notFound,
                "There is no value with this primary key to update.",
                entity: Model.entityName,
                key: "\(value.primaryKey)"
            )
        }
    }

    func updateExisting(
        _ values: [Model],
        in transaction: any WriteTransaction
    ) throws -> [Model] {
        try update(values, in: transaction) { _ in }
    }

    private func update(
        _ values: [Model],
        in transaction: any WriteTransaction,
        missing: (Model) throws -> Void
    ) throws -> [Model] {
        try transaction.write { transaction in
            let context = try transaction.entities
            let existing = try context.lookUp(Shape.self, keys: values.map(\.primaryKey))
            for (value, found) in zip(values, existing) where found == nil { try missing(value) }
            var entities: [ManagedEntity] = []
            for (value, found) in zip(values, existing) {
                guard let found else { continue }
                entities.append(try upsert(value, in: context, existing: found))
            }
            try context.flush()
            return try models(of: entities)
        }
    }

    func upsert(
        _ values: [Model],
        in transaction: any WriteTransaction
    ) throws -> UpsertOutcome<Model> {
        try transaction.write { transaction in
            let context = try transaction.entities
            let values = try Shape.lastOfEachKey(values, \.primaryKey)
            let existing = try context.lookUp(Shape.self, keys: values.map(\.primaryKey))
            var inserted: [ManagedEntity] = []
            var updated: [ManagedEntity] = []
            for (value, found) in zip(values, existing) {
                let entity = try upsert(value, in: context, existing: found)
                if found == nil { inserted.append(entity) } else { updated.append(entity) }
            }
            try context.flush()
            return UpsertOutcome(
                inserted: try models(of: inserted),
                updated: try models(of: updated)
            )
        }
    }

    private func upsert(
        _ value: Model,
        in context: EntityContext,
        existing: ManagedEntity?
    ) throws -> ManagedEntity {
        let entity: ManagedEntity
        do {
            entity = try value.upsert(in: context, existing: existing)
        } catch {
            throw DBClientError.converting(
                error,
                .invalidValue,
                "The model does not convert to its entity.",
                Shape.schema.entity,
                key: value.primaryKey
            )
        }
        guard entity.context === context, entity.isOne(of: Shape.self),
            try existing.map({ $0 === entity })
                ?? entity.hasKey(value.primaryKey, of: Shape.self)
        else {
            throw DBClientError(
                .invalidValue,
                "The entity that the model converts to is another than the model's.",
                entity: Model.entityName,
                key: "\(value.primaryKey)"
            )
        }
        return entity
    }

    private func models(of entities: [ManagedEntity]) throws -> [Model] {
        try entities.map { entity in
            do {
                return try Model(entity: entity)
            } catch {
                throw DBClientError.converting(
                    error,
                    .decoding,
                    "The entity does not convert to the model.",
                    Shape.schema.entity,
                    key: try entity.value(as: Shape.self).primaryKey
                )
            }
        }
    }
}
