// Equality of a to-one relationship with a value: by its primary key.

/// True when the value that is held has the primary key of another.
public func == <Model, Related: Stored>(
    field: Field<Model, Related>,
    value: Related
) -> Condition<Model> {
    field.holds(value.primaryKey, of: Related.self)
}

/// True when the value that is held has another primary key.
public func != <Model, Related: Stored>(
    field: Field<Model, Related>,
    value: Related
) -> Condition<Model> {
    !field.holds(value.primaryKey, of: Related.self)
}

/// True when a value is held that has the primary key of another; `== nil` when none is.
public func == <Model, Related: Stored>(
    field: Field<Model, Related?>,
    value: Related?
) -> Condition<Model> {
    field.holds(value?.primaryKey, of: Related.self)
}

/// True when no value is held or one that has another primary key.
public func != <Model, Related: Stored>(
    field: Field<Model, Related?>,
    value: Related?
) -> Condition<Model> {
    !field.holds(value?.primaryKey, of: Related.self)
}

/// True when the reference is the same.
public func == <Model, Related>(
    field: Field<Model, Reference<Related>>,
    value: Reference<Related>
) -> Condition<Model> {
    field.holds(value.key, of: Related.self)
}

/// True when the reference is another.
public func != <Model, Related>(
    field: Field<Model, Reference<Related>>,
    value: Reference<Related>
) -> Condition<Model> {
    !field.holds(value.key, of: Related.self)
}

/// True when the reference is the same; `== nil` when there is none.
public func == <Model, Related>(
    field: Field<Model, Reference<Related>?>,
    value: Reference<Related>?
) -> Condition<Model> {
    field.holds(value?.key, of: Related.self)
}

/// True when the reference is another or there is none.
public func != <Model, Related>(
    field: Field<Model, Reference<Related>?>,
    value: Reference<Related>?
) -> Condition<Model> {
    !field.holds(value?.key, of: Related.self)
}

/// True when the reference names the value, by its primary key.
public func == <Model, Related>(
    field: Field<Model, Reference<Related>>,
    value: Related
) -> Condition<Model> {
    field.holds(value.primaryKey, of: Related.self)
}

/// True when the reference names another value.
public func != <Model, Related>(
    field: Field<Model, Reference<Related>>,
    value: Related
) -> Condition<Model> {
    !field.holds(value.primaryKey, of: Related.self)
}

/// True when there is a reference and it names the value, by its primary key; for nil when there is none.
@_disfavoredOverload
public func == <Model, Related>(
    field: Field<Model, Reference<Related>?>,
    value: Related?
) -> Condition<Model> {
    field.holds(value?.primaryKey, of: Related.self)
}

/// True when the reference names another value or there is none; for nil when there is one.
@_disfavoredOverload
public func != <Model, Related>(
    field: Field<Model, Reference<Related>?>,
    value: Related?
) -> Condition<Model> {
    !field.holds(value?.primaryKey, of: Related.self)
}

extension Field {
    /// Returns whether the field holds the value with a primary key, or none.
    fileprivate func holds<Related: Stored>(
        _ key: Related.PrimaryKey?,
        of type: Related.Type
    ) -> Condition<Model> {
        condition { column, entity in
            guard let relationship else {
                throw DBClientError(
                    .invalidRequest,
                    "The property must be a relationship.",
                    entity: entity.name
                )
            }
            let key = try key.map { try Related.storedKey($0) }
            guard let key else { return absence(column) }
            let isHeld = RowCondition.equal(relationship.columns, key)
            guard relationship.mayHoldNothing else { return isHeld }
            return .all([isHeld, .not(absence(column))])
        }
    }

    /// Returns the condition that nothing is there to be read of the field, given its first column.
    func absence(_ column: Int) -> RowCondition {
        relationship?.absence ?? .isNil(column: column)
    }
}

extension RelationshipSchema {
    /// The condition that nothing is there to be read; nil where it is that the key is absent.
    var absence: RowCondition? {
        guard mayHoldNothing, let target else { return nil }
        // A key that names nothing reads as nil, so what counts is whether the value is there.
        return .not(.related(RelatedRows(target, target.primaryKey, matching: columns)))
    }
}

extension RowCondition {
    /// Returns the condition that columns equal the parts of a key.
    static func equal(_ columns: [Int], _ key: [StorageValue]) -> RowCondition {
        let parts = zip(columns, key).map { column, value in
            RowCondition.compare(column: column, .equal, value, .binary)
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }
}

extension Stored {
    /// Returns the stored form of the parts of a primary key.
    static func storedKey(_ key: PrimaryKey) throws -> [StorageValue] {
        let entity = schema.entity
        try entity.validate()
        let buffer = RowBuffer(entity, columns: entity.primaryKey)
        try encode(key: key, to: buffer)
        return withExtendedLifetime(buffer) {
            buffer.columns.indices.map { StorageValue(buffer.batch[0, $0]) }
        }
    }

    /// Returns a request for the values of another model that hold this one.
    ///
    /// ```swift
    /// let heroes = try await client.fetch(marvel.inverse(of: \Character.publisher))
    /// let team = try await client.count(flight.inverse(of: \Character.powers))
    /// ```
    ///
    /// The inverse of a relationship is not stored: its index finds it. What is asked of the request
    /// that is no relationship to this model is thrown by the call that uses it.
    public func inverse<Owner: Stored, Value>(
        of keyPath: KeyPath<Owner, Value>
    ) -> FetchRequest<Owner> {
        FetchRequest<Owner>().filter(
            Condition {
                guard let relationship = Owner.schema.relationship(of: keyPath),
                    relationship.target === Self.schema.entity
                else {
                    throw DBClientError(
                        .invalidRequest,
                        "The \((keyPath as AnyKeyPath).named) must be a relationship to \(Self.schema.entity.name).",
                        entity: Owner.schema.entity.name
                    )
                }
                let key = try Self.storedKey(primaryKey)
                guard let link = relationship.link else {
                    return .equal(relationship.columns, key)
                }
                return .related(
                    RelatedRows(
                        link.entity,
                        link.owner,
                        matching: Owner.schema.entity.primaryKey,
                        where: .equal(link.target, key)
                    )
                )
            }
        )
    }
}
