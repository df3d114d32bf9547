// Values of other models. How a relationship is kept: documentation of `RelationshipSchema`.
extension SchemaField {
    /// A value of another model, saved and loaded with its owner; kept as its primary key.
    public static func field<Related: Stored>(
        _ keyPath: KeyPath<Model, Related>,
        _ name: String,
        index: Index? = .plain,
        onDelete rule: DeleteRule = .deny
    ) -> Self {
        Self(
            keyPath,
            RelationshipDeclaration(name, .toOne, of: Related.self, isRequired: true, rule: rule),
            index
        )
    }

    /// An optional value of another model, saved and loaded with its owner; kept as its primary key.
    public static func field<Related: Stored>(
        _ keyPath: KeyPath<Model, Related?>,
        _ name: String,
        index: Index? = .plain,
        onDelete rule: DeleteRule = .nullify
    ) -> Self {
        Self(keyPath, RelationshipDeclaration(name, .toOne, of: Related.self, rule: rule), index)
    }

    /// Values of another model, in order, saved and loaded with their owner; kept as link rows.
    public static func field<Related: Stored>(
        _ keyPath: KeyPath<Model, [Related]>,
        _ name: String,
        onDelete rule: DeleteRule = .nullify
    ) -> Self {
        Self(keyPath, RelationshipDeclaration(name, .list, of: Related.self, rule: rule), nil)
    }

    /// Values of another model, in no order, saved and loaded with their owner; kept as link rows.
    public static func field<Related: Stored & Hashable>(
        _ keyPath: KeyPath<Model, Set<Related>>,
        _ name: String,
        onDelete rule: DeleteRule = .nullify
    ) -> Self {
        Self(keyPath, RelationshipDeclaration(name, .set, of: Related.self, rule: rule), nil)
    }

    /// A reference to a value of another model; kept as its primary key.
    public static func field<Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>>,
        _ name: String,
        index: Index? = .plain,
        onDelete rule: DeleteRule = .deny
    ) -> Self {
        Self(
            keyPath,
            RelationshipDeclaration(
                name,
                .toOne,
                of: Related.self,
                isRequired: true,
                isByReference: true,
                rule: rule
            ),
            index
        )
    }

    /// A reference to a value of another model that is the primary key or a part of it.
    ///
    /// The key finds the values that refer to another, unless other parts come before it, so `index` is for those.
    public static func field<Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>>,
        _ name: String,
        primaryKey: PrimaryKeyGeneration,
        index: Index? = .plain,
        onDelete rule: DeleteRule = .deny
    ) -> Self {
        var field = field(keyPath, name, index: index, onDelete: rule)
        field.primaryKey = primaryKey
        return field
    }

    /// An optional reference to a value of another model; kept as its primary key.
    public static func field<Related: Stored>(
        _ keyPath: KeyPath<Model, Reference<Related>?>,
        _ name: String,
        index: Index? = .plain,
        onDelete rule: DeleteRule = .nullify
    ) -> Self {
        Self(
            keyPath,
            RelationshipDeclaration(
                name,
                .toOne,
                of: Related.self,
                isByReference: true,
                rule: rule
            ),
            index
        )
    }

    /// References to values of another model, in order; kept as link rows.
    public static func field<Related: Stored>(
        _ keyPath: KeyPath<Model, References<Related>>,
        _ name: String,
        onDelete rule: DeleteRule = .nullify
    ) -> Self {
        Self(
            keyPath,
            RelationshipDeclaration(
                name,
                .list,
                of: Related.self,
                isByReference: true,
                rule: rule
            ),
            nil
        )
    }

    private init(
        _ keyPath: PartialKeyPath<Model>,
        _ relationship: RelationshipDeclaration,
        _ index: Index?
    ) {
        self.init(keyPath, relationship.columns, index: index)
        self.relationship = relationship
    }
}
