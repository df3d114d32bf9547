// What no field is, with a message of its own: without these the compiler names a requirement of whatever
// overload it tried last.
extension SchemaField {
    /// Refused: the type is none that a field has.
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

    /// Refused: the type is none that is indexed.
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

    /// Refused: the type is none of a key.
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

    /// Refused: the type is none that holds models.
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
