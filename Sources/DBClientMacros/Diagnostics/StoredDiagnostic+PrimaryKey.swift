#if Macros
/// The diagnostics about a primary key.
extension StoredDiagnostic {
    static func noPrimaryKey(_ name: String) -> Self {
        Self("'\(name)' has no primary key; mark a property '@PrimaryKey' or name one 'id'")
    }

    static func optionalPrimaryKey(_ property: String) -> Self {
        Self("the primary key '\(property)' cannot be optional; remove the '?'")
    }

    static func collectionPrimaryKey(
        _ property: String,
        _ collection: StoredProperty.Collection
    ) -> Self {
        Self(
            """
            the primary key '\(property)' cannot be a \(collection); give it a single value, or mark \
            several properties '@PrimaryKey'
            """
        )
    }

    static func untypedPrimaryKey(_ property: String) -> Self {
        Self("the type of the primary key '\(property)' cannot be told from its value; write it")
    }

    static func primaryKeyTypeIsPrimaryKey(_ property: String) -> Self {
        Self(
            """
            the type of '\(property)' has the name 'PrimaryKey' that '@Stored' declares; rename \
            the type or write its module before it
            """
        )
    }

    static func unknownGeneration(_ property: String) -> Self {
        Self("'@PrimaryKey' of '\(property)' must say '.given' or '.generated' literally")
    }

    static func generatedCompositeKey(_ property: String) -> Self {
        Self(
            """
            '\(property)' cannot be '.generated', since it is one of several primary keys; \
            remove '.generated' or the other '@PrimaryKey'
            """
        )
    }

    static func primaryKeyInEmbedded(_ property: String) -> Self {
        Self(
            """
            '\(property)' cannot be a primary key, since an '@Embedded' value is part of its \
            owner's row; remove '@PrimaryKey'
            """
        )
    }
}
#endif
