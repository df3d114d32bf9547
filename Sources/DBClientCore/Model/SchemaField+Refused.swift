// What no field is, with a message of its own: without these the compiler names a requirement of whatever
// overload it tried last.
extension SchemaField {
    /// Unavailable: a field cannot have this type.
    @available(
        *,
        unavailable,
        message: """
            a value of this type cannot be stored; make the type 'Codable' or '@Embedded', or mark the \
            property '@Transient'
            """
    )
    @_disfavoredOverload
    public static func field<Value>(_ keyPath: KeyPath<Model, Value>, _ name: String) -> Self {
        Self(keyPath, [])
    }

    /// Unavailable: a value of this type cannot be indexed.
    @available(
        *,
        unavailable,
        message: "a value of this type has no index; remove '@Indexed', '@Unique' or 'index:'"
    )
    @_disfavoredOverload
    public static func field<Value>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String,
        index: Index
    ) -> Self {
        Self(keyPath, [])
    }

    /// Unavailable: a primary key cannot have this type.
    @available(
        *,
        unavailable,
        message: """
            a value of this type cannot be a primary key; let the type adopt 'StorableValue' and \
            'PrimaryKeyValue'
            """
    )
    @_disfavoredOverload
    public static func field<Value>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String,
        primaryKey: PrimaryKeyGeneration,
        index: Index? = nil
    ) -> Self {
        Self(keyPath, [])
    }

    /// Unavailable: a relationship cannot have this type.
    @available(
        *,
        unavailable,
        message: """
            a relationship holds a model, a list or a set of models, or references; remove \
            '@Relationship' or 'onDelete:'
            """
    )
    @_disfavoredOverload
    public static func field<Value>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String,
        onDelete rule: DeleteRule
    ) -> Self {
        Self(keyPath, [])
    }
}
