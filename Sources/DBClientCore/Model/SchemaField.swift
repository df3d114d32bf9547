/// One property of a model in its schema.
///
/// The overloads of `field` decide how a property is kept: a `StorableValue` as one column, a raw
/// value as its raw value, an `EmbeddedValue` as a column for each of its fields, and any other
/// `Codable` value as JSON text.
public struct SchemaField<Model>: Sendable {
    nonisolated(unsafe) let keyPath: PartialKeyPath<Model>
    private(set) var columns: [FieldSchema]
    var primaryKey: PrimaryKeyGeneration?
    let index: Index?
    /// How each column is put into a copy of the model.
    let restorations: [ColumnRestoration]
    /// The declarations of an embedded struct, by its own columns.
    var embedded = EmbeddedFields()
    /// The relationship that the property declares.
    var relationship: RelationshipDeclaration?
    /// Whether rows are kept together by the property's value.
    private(set) var isShardKey = false
    /// Whether the property holds values of other models in a way that no relationship can.
    var holdsModels = false
    /// How much a word of the property counts in a search; nil where it is not searched.
    var searchWeight: Double?

    /// The name of a property that holds values of other models so; nil for any other.
    var heldName: String? { holdsModels ? columns.first?.name : nil }

    /// The kind of index that a field is declared with.
    public enum Index: Sendable {
        case plain
        case unique
    }

    init(
        _ keyPath: PartialKeyPath<Model>,
        _ columns: [FieldSchema],
        primaryKey: PrimaryKeyGeneration? = nil,
        index: Index? = nil,
        restorations: [ColumnRestoration]? = nil
    ) {
        self.keyPath = keyPath
        self.columns = columns
        self.restorations =
            restorations ?? columns.map { _ in ColumnRestoration(mayDiffer: false) }
        self.primaryKey = primaryKey
        self.index = index
    }

    /// Declares how columns keep the property, where that is another form than the engines' own.
    ///
    /// ```swift
    /// .field(\.born, "born").stored(as: .iso8601)
    /// ```
    ///
    /// Of a relationship it is how the columns keep the related key. What of a value the format does not keep is rounded
    /// before it is written, on every engine. A format that is not of the field's type makes the schema invalid.
    public func stored(as format: ColumnFormat) -> Self {
        var field = self
        field.columns = columns.map { $0.stored(as: format) }
        field.relationship = relationship.map { $0.storingKeys(as: format) }
        return field
    }

    /// Declares that rows are kept together on one of several servers by the property's value: by the tenant, say.
    ///
    /// ```swift
    /// .field(\.tenant, "tenant", primaryKey: .given).shardKey()
    /// ```
    ///
    /// It must be one field, the primary key or a part of it, and a part of every unique index; otherwise the schema is
    /// invalid. What it means is said of the macro `ShardKey()`.
    public func shardKey() -> Self {
        var field = self
        field.isShardKey = true
        return field
    }

    /// Declares a text that ``StoredConvertible/matching(_:in:)`` searches.
    ///
    /// ```swift
    /// .field(\.title, "title").searchable(weight: 3)
    /// ```
    ///
    /// - Parameter weight: How often a word of the property counts in a score, above 0 and at most 1,000. A property that is no
    ///   text, or another weight, makes the schema invalid.
    /// - Returns: The field, which is searched.
    public func searchable(weight: Double = 1) -> Self {
        var field = self
        field.searchWeight = weight
        return field
    }

    /// Declares a property whose value takes one column.
    public static func field<Value: StorableValue>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String,
        primaryKey: PrimaryKeyGeneration? = nil,
        index: Index? = nil
    ) -> Self {
        let column = FieldSchema(
            name: name,
            type: Value.fieldType,
            isOptional: Value.isOptional,
            form: FieldForm(Value.self, keptAs: Value.fieldType)
        )
        return Self(
            keyPath,
            [column],
            primaryKey: primaryKey,
            index: index,
            restorations: [ColumnRestoration(keyPath)]
        )
    }

    /// A storable enum; kept as its raw value.
    public static func field<Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String,
        primaryKey: PrimaryKeyGeneration? = nil,
        index: Index? = nil
    ) -> Self where Value.RawValue: StorableValue {
        let column = FieldSchema(name, of: Value.self, Value.fieldType)
        return Self(
            keyPath,
            [column],
            primaryKey: primaryKey,
            index: index,
            restorations: [ColumnRestoration(keyPath)]
        )
    }

    /// An enum or another type with a raw value; kept as its raw value.
    public static func field<Value: RawRepresentable>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String,
        index: Index? = nil
    ) -> Self where Value.RawValue: StorableValue {
        let column = FieldSchema(name, raw: Value.self, Value.RawValue.fieldType)
        let restoration = ColumnRestoration(rawValues: Value.RawValue.self)
        return Self(keyPath, [column], index: index, restorations: [restoration])
    }

    /// An optional enum or another optional type with a raw value.
    public static func field<Value: RawRepresentable>(
        _ keyPath: KeyPath<Model, Value?>,
        _ name: String,
        index: Index? = nil
    ) -> Self where Value.RawValue: StorableValue {
        let column = FieldSchema(name, raw: Value?.self, Value.RawValue.fieldType)
        let restoration = ColumnRestoration(rawValues: Value.RawValue.self)
        return Self(keyPath, [column], index: index, restorations: [restoration])
    }

    /// Declares a property that holds an optional storable enum.
    public static func field<Value: StorableValue & RawRepresentable>(
        _ keyPath: KeyPath<Model, Value?>,
        _ name: String,
        index: Index? = nil
    ) -> Self where Value.RawValue: StorableValue {
        let column = FieldSchema(name, of: Value?.self, Value.fieldType)
        let restoration = ColumnRestoration(rawValues: Value.RawValue.self)
        return Self(keyPath, [column], index: index, restorations: [restoration])
    }

    /// A codable value; kept as JSON text.
    @_disfavoredOverload
    public static func field<Value: Codable>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String
    ) -> Self {
        var field = Self(keyPath, [FieldSchema(name, of: Value.self, .json)])
        field.holdsModels = holdModels(Value.self)
        return field
    }

    /// An optional codable value; nil is an absent value, not the JSON null.
    @_disfavoredOverload
    public static func field<Value: Codable>(
        _ keyPath: KeyPath<Model, Value?>,
        _ name: String
    ) -> Self {
        var field = Self(keyPath, [FieldSchema(name, of: Value?.self, .json)])
        field.holdsModels = holdModels(Value.self)
        return field
    }

    /// An embedded struct; a column for each of its fields.
    public static func field<Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model, Value>,
        _ name: String
    ) -> Self {
        var field = Self(
            keyPath,
            Value.schema.columns.map {
                FieldSchema(
                    name: "\(name)_\($0.name)",
                    type: $0.type,
                    isOptional: $0.isOptional,
                    form: $0.form
                )
            },
            restorations: Value.schema.restorations.map {
                $0.moved(by: MemoryLayout<Model>.offset(of: keyPath))
            }
        )
        field.embedded = Value.schema.fields.inside(keyPath)
        return field
    }

    /// An optional embedded struct; a column that says whether it is present, then its fields.
    public static func field<Value: EmbeddedValue>(
        _ keyPath: KeyPath<Model, Value?>,
        _ name: String
    ) -> Self {
        let presence = FieldSchema(name: name, type: .boolean, isOptional: true)
        var field = Self(
            keyPath,
            [presence]
                + Value.schema.columns.map {
                    FieldSchema(
                        name: "\(name)_\($0.name)",
                        type: $0.type,
                        isOptional: true,
                        form: $0.form
                    )
                },
            restorations: [ColumnRestoration(mayDiffer: false)]
                + Value.schema.restorations.map { $0.moved(by: nil) }
        )
        field.embedded = Value.schema.fields.behindPresence(of: Value.schema.columns)
        return field
    }
}
