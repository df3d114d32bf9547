/// Keeps a model as the values of another, stored type.
///
/// What is stored now is read at once for all the values of a call, and only for conversions that
/// look at it.
public struct ShapeMapping<Model: StoredConvertible, Shape: Stored>: ModelMapping
where Shape.PrimaryKey == Model.PrimaryKey {
    private let readsExisting: Bool
    private let model: @Sendable (Shape) throws -> Model
    private let shape: @Sendable (Model, Shape?) throws -> Shape

    /// Creates a mapping.
    ///
    /// - Parameters:
    ///   - readsExisting: Whether `shape` looks at what is stored.
    ///   - model: Returns the model of what is stored.
    ///   - shape: Returns what to store of a model, given what is stored under its key now.
    public init(
        readsExisting: Bool,
        model: @escaping @Sendable (Shape) throws -> Model,
        shape: @escaping @Sendable (Model, Shape?) throws -> Shape
    ) {
        self.readsExisting = readsExisting
        self.model = model
        self.shape = shape
    }

    /// Returns the models of stored values.
    ///
    /// - Throws: `.decoding`, naming the entity, for what the conversion throws.
    public func models(_ shapes: [Shape], in transaction: ReadTransaction) throws -> [Model] {
        try models(shapes)
    }

    private func models(_ shapes: [Shape]) throws -> [Model] {
        try shapes.map { shape in
            do {
                return try model(shape)
            } catch {
                throw DBClientError.converting(
                    error,
                    .decoding,
                    "The stored value could not be converted to the model.",
                    Shape.schema.entity,
                    key: shape.primaryKey
                )
            }
        }
    }

    /// Writes values as those of the shape.
    public func write(
        _ values: [Model],
        _ verb: ModelWrite,
        in transaction: WriteTransaction
    ) throws -> UpsertOutcome<Model> {
        var values = values
        var existing: [Shape?]? =
            switch verb {
            case .insert, .insertIfAbsent: nil
            case .upsertBy(let fields): try self.existing(of: values, by: fields, in: transaction)
            case .update, .updateExisting, .upsert: try self.existing(of: values, in: transaction)
            }
        if let found = existing, verb == .update,
            let missing = found.firstIndex(where: { $0 == nil })
        {
            throw DBClientError(
                .notFound,
                "There is no value with this primary key to update.",
                entity: Shape.schema.entity.name,
                key: "\(values[missing].primaryKey)"
            )
        }
        if let found = existing, verb == .updateExisting {
            values = zip(values, found).compactMap { $1 == nil ? nil : $0 }
            existing = found.filter { $0 != nil }
        }
        let shapes = try shapes(of: values, existing: existing)
        if verb == .update {
            _ = try StoredMapping().write(shapes, verb, in: transaction)
            return UpsertOutcome(inserted: [], updated: values)
        }
        // A savepoint: converting back may throw after the rows are written.
        return try transaction.write {
            let outcome = try StoredMapping().write(shapes, verb, in: $0)
            return UpsertOutcome(
                inserted: try models(outcome.inserted),
                updated: try models(outcome.updated)
            )
        }
    }

    /// Returns what is stored under the key of each value; nil when the conversion does not look.
    private func existing(
        of values: [Model],
        in transaction: ReadTransaction
    ) throws -> [Shape?]? {
        guard readsExisting else { return nil }
        let keys = values.map(\.primaryKey)
        let found = try StoredMapping<Shape>().find(keys, in: transaction)
        return try KeyRows<Shape>.align(found, with: keys)
    }

    /// Returns what is stored with the same values in some fields, which are those of the values' shapes as they are
    /// without it; nil when the conversion does not look.
    private func existing(
        of values: [Model],
        by fields: UniqueFields,
        in transaction: ReadTransaction
    ) throws -> [Shape?]? {
        guard readsExisting else { return nil }
        return try transaction.findStored(like: shapes(of: values), in: fields)
    }

    private func shapes(of values: [Model], existing: [Shape?]? = nil) throws -> [Shape] {
        var shapes: [Shape] = []
        shapes.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do {
                shapes.append(try shape(value, existing?[index]))
            } catch {
                throw DBClientError.converting(
                    error,
                    .invalidValue,
                    "The model could not be converted to its storage.",
                    Shape.schema.entity,
                    key: value.primaryKey
                )
            }
        }
        let given = try KeyRows<Shape>(values.map(\.primaryKey))
        let converted = try KeyRows<Shape>(shapes.map(\.primaryKey))
        // What was found by something else than the key has a key of its own, which stays.
        let kept = try KeyRows<Shape>(
            values.indices.map { existing?[$0]?.primaryKey ?? values[$0].primaryKey }
        )
        for index in values.indices
        where !given.isEqual(index, converted, index) && !kept.isEqual(index, converted, index) {
            throw DBClientError(
                .invalidValue,
                "A model must convert to storage with the same primary key.",
                entity: Shape.schema.entity.name,
                key: "\(values[index].primaryKey)"
            )
        }
        return shapes
    }
}

extension DBClientError {
    /// Returns the error for what a conversion threw.
    package static func converting(
        _ error: any Error,
        _ code: Code,
        _ message: String,
        _ entity: EntitySchema,
        key: some PrimaryKeyValue
    ) -> DBClientError {
        if var error = error as? DBClientError {
            error.entity = error.entity ?? entity.name
            return error
        }
        if error is CancellationError { return wrapping(error) }
        return DBClientError(code, message, entity: entity.name, key: "\(key)", underlying: error)
    }
}
