import Synchronization

/// The fields of a model's stored shape, for building conditions and sorts: `$0.name`, `$0.appearance.year`.
@dynamicMemberLookup
public struct Fields<Model: StoredConvertible>: Sendable {
    /// Tells the fields of one closure from those of another, which may be of another value.
    let scope: Int

    init() {
        scope = FieldScope.next()
    }

    /// Creates the fields of a value that something else tells from others.
    init(scope: Int) {
        self.scope = scope
    }

    /// The field that a property of the model is stored in.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Model.Storage, Value>) -> Field<
        Model, Value
    > {
        let schema = Model.Storage.schema
        let property = schema.property(of: keyPath)
        return Field(
            position: property?.position,
            relationship: schema.relationship(property),
            scope: scope,
            named: keyPath
        )
    }
}

/// Numbers for the closures that are given fields.
private enum FieldScope {
    private static let last = Atomic(0)

    static func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// One field of a model, or of a model that it holds, in a condition or a sort.
@dynamicMemberLookup
public struct Field<Model: StoredConvertible, Value>: Sendable {
    /// The position of the field's first column.
    let position: Int
    /// The relationship that the field is, if it is one.
    let relationship: RelationshipSchema?
    /// The way from the model to the one that has the field.
    let path: [RelatedRows]
    /// Whether the field is a struct that is there whenever its owner is, so that no column says so,
    /// while the owner may not be there.
    let isAlwaysInOwner: Bool
    /// Whose field it is: fields of one closure have the same.
    let scope: Int
    /// Whether the field, as a key of a sort, is largest first; such a one is compared with nothing.
    var isDescending = false
    /// The value that stands for the field where it is absent, in its stored form.
    var substitute: StorageValue?
    /// The field as one of what a relationship holds; nil where it is not its key.
    var held: HeldKey?
    /// Why there is no such field.
    let failure: DBClientError?

    init(
        position: Int?,
        relationship: RelationshipSchema? = nil,
        path: [RelatedRows] = [],
        isAlwaysInOwner: Bool = false,
        scope: Int,
        named keyPath: @autoclosure () -> AnyKeyPath
    ) {
        self.position = position ?? 0
        self.path = path
        self.isAlwaysInOwner = isAlwaysInOwner
        self.scope = scope
        guard position == nil && relationship == nil else {
            self.relationship = relationship
            failure = nil
            return
        }
        // What is not stored may be what leads to the value.
        (self.relationship, failure) = Self.unstored(
            keyPath(),
            of: path.last?.entity ?? Model.Storage.schema.entity
        )
    }

    /// Returns the inverse property that a key path is, or why there is no field.
    @inline(never)
    private static func unstored(
        _ keyPath: AnyKeyPath,
        of entity: EntitySchema
    ) -> (RelationshipSchema?, DBClientError?) {
        let inverse = (type(of: keyPath).rootType as? any Stored.Type)?.inverse(at: keyPath)
        if let inverse, inverse.entity === entity { return (inverse.relationship, nil) }
        let error = DBClientError(
            inverse == nil ? .invalidRequest : .unsupported,
            inverse == nil
                ? "The \(keyPath.named) is not stored."
                : "The inverse \(keyPath.named) must not be used in a join.",
            entity: entity.name,
            hint: inverse == nil
                ? "Use a stored property." : "Filter the request that is joined, or join its model."
        )
        return (nil, error)
    }

    init(
        position: Int,
        relationship: RelationshipSchema? = nil,
        path: [RelatedRows] = [],
        isAlwaysInOwner: Bool = false,
        scope: Int,
        failure: DBClientError?
    ) {
        self.position = position
        self.relationship = relationship
        self.path = path
        self.isAlwaysInOwner = isAlwaysInOwner
        self.scope = scope
        self.failure = failure
    }

    /// The entity that has the field.
    var entity: EntitySchema { path.last?.entity ?? Model.Storage.schema.entity }

    /// The field's column.
    ///
    /// - Throws: `DBClientError` with code `.invalidRequest` when the property is not stored.
    func column() throws -> Int {
        if let failure { throw failure }
        if isDescending {
            throw DBClientError(
                .invalidRequest,
                "A descending field must be used to sort, not in a condition.",
                entity: entity.name
            )
        }
        if let relationship, relationship.link != nil || relationship.inverse != nil {
            throw DBClientError(
                .invalidRequest,
                "A to-many relationship must not be compared as a value.",
                entity: entity.name,
                field: relationship.name,
                hint: "Use `contains`, `allSatisfy`, `isEmpty` or `count`."
            )
        }
        return position
    }

    /// Returns a condition on the model, made of one on the entity that has the field.
    func condition(
        _ build: (_ column: Int, _ entity: EntitySchema) throws -> RowCondition
    ) -> Condition<Model> {
        Condition(scope: scope) {
            var condition = try build(column(), entity)
            if let substitute {
                condition = condition.holding(substitute, whereAbsent: position, of: entity)
            }
            return path.isEmpty ? condition : condition.reached(through: path)
        }
    }
}

extension Field where Value: EmbeddedValue {
    /// A field of an embedded struct.
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value, Member>
    ) -> Field<Model, Member> {
        let offset = Value.schema.position(of: keyPath)
        return Field<Model, Member>(
            position: offset.map { position + $0 },
            path: path,
            scope: scope,
            named: keyPath
        )
        .inheriting(failure)
    }
}

extension Field {
    /// A field of an optional embedded struct; nil when the struct is.
    public subscript<Wrapped: EmbeddedValue, Member>(
        dynamicMember keyPath: KeyPath<Wrapped, Member>
    ) -> Field<Model, Member?> where Value == Wrapped? {
        embedded(keyPath)
    }

    /// An optional field of an optional embedded struct; nil when the struct is.
    public subscript<Wrapped: EmbeddedValue, Member>(
        dynamicMember keyPath: KeyPath<Wrapped, Member?>
    ) -> Field<Model, Member?> where Value == Wrapped? {
        embedded(keyPath)
    }

    private func embedded<Wrapped: EmbeddedValue, Member, Result>(
        _ keyPath: KeyPath<Wrapped, Member>
    ) -> Field<Model, Result> {
        // The first column of an optional struct says whether it is there.
        let first = position + (isAlwaysInOwner ? 0 : 1)
        return Field<Model, Result>(
            position: Wrapped.schema.position(of: keyPath).map { first + $0 },
            path: path,
            isAlwaysInOwner: Member.self is any EmbeddedValue.Type,
            scope: scope,
            named: keyPath
        )
        .inheriting(failure)
    }

    func inheriting(_ other: DBClientError?) -> Self {
        other == nil ? self : Self(position: position, path: path, scope: scope, failure: other)
    }
}
