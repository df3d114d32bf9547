import DBClientCore

/// Keeps a model by way of the transaction's live rows.
struct ManagedEntityMapping<Model: ManagedEntityConvertible>: ModelMapping {
    typealias Shape = Model.Entity

    func models(_ shapes: [Shape], in transaction: ReadTransaction) throws -> [Model] {
        try models(of: transaction.entities.entities(of: shapes))
    }

    func write(
        _ values: [Model],
        _ verb: ModelWrite,
        in transaction: WriteTransaction
    ) throws -> UpsertOutcome<Model> {
        switch verb {
        case .insertIfAbsent: return try insertAbsent(values, in: transaction)
        case .upsertBy(let fields): return try upsert(values, by: fields, in: transaction)
        default: break
        }
        return try transaction.write { transaction in
            let context = try transaction.entities
            let values =
                verb == .upsert ? try Shape.lastOfEachKey(values, \.primaryKey) : values
            let existing =
                verb == .insert
                ? [ManagedEntity?](repeating: nil, count: values.count)
                : try context.lookUp(Shape.self, keys: values.map(\.primaryKey))
            if verb == .update, let missing = existing.firstIndex(where: { $0 == nil }) {
                throw DBClientError(
                    .notFound,
                    "There is no value with this primary key to update.",
                    entity: Model.entityName,
                    key: "\(values[missing].primaryKey)"
                )
            }
            let written = zip(values, existing).filter { verb != .updateExisting || $1 != nil }
            return try save(written, in: context)
        }
    }

    /// Makes or changes the entity of each value, and writes them.
    private func save(
        _ values: [(Model, ManagedEntity?)],
        in context: EntityContext
    ) throws -> UpsertOutcome<Model> {
        var inserted: [ManagedEntity] = []
        var updated: [ManagedEntity] = []
        for (value, found) in values {
            let entity = try upsert(value, in: context, existing: found)
            if found == nil { inserted.append(entity) } else { updated.append(entity) }
        }
        try context.flush()
        return UpsertOutcome(inserted: try models(of: inserted), updated: try models(of: updated))
    }

    /// Writes values by what is unique in their storage, which says it before there is an entity.
    private func upsert(
        _ values: [Model],
        by fields: UniqueFields,
        in transaction: WriteTransaction
    ) throws -> UpsertOutcome<Model> {
        if try fields.areKey(of: Shape.schema.entity) {
            return try write(values, .upsert, in: transaction)
        }
        return try transaction.write { transaction in
            let context = try transaction.entities
            let found = try context.match(
                Shape.self,
                like: try values.map { try storage(of: $0) },
                in: fields
            )
            return try save(found.map { (values[$0.position], $0.existing) }, in: context)
        }
    }

    private func storage(of value: Model) throws -> Model.Storage {
        do {
            return try value.storage(existing: nil)
        } catch {
            throw DBClientError.converting(
                error,
                .invalidValue,
                "The model does not convert to its storage.",
                Shape.schema.entity,
                key: value.primaryKey
            )
        }
    }

    /// Inserts the values that conflict with none, each as a savepoint: what it converts to is known by then.
    private func insertAbsent(
        _ values: [Model],
        in transaction: WriteTransaction
    ) throws -> UpsertOutcome<Model> {
        try transaction.write { transaction in
            var inserted: [Model] = []
            for value in values {
                do {
                    inserted += try write([value], .insert, in: transaction).inserted
                } catch let error as DBClientError
                    where error.entity == Model.entityName
                    && (error.code == .duplicateKey || error.code == .uniqueViolation)
                {
                    continue
                }
            }
            return UpsertOutcome(inserted: inserted, updated: [])
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
