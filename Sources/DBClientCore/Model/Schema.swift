/// The stored shape of a model: its fields with their key paths, its keys and its indexes.
///
/// Building one never fails; what is wrong with it is thrown by the first use of the entity.
public final class Schema<Model: Stored>: Sendable {
    /// The shape without the model, as engines see it.
    public let entity: EntitySchema
    /// The slots of a row as `init(row:)` and `write(to:)` see it: those of the entity, and one more
    /// for each to-many relationship.
    ///
    /// The entity itself where there is none.
    let layout: EntitySchema
    /// The slot of each of the entity's columns.
    let layoutColumns: [Int]
    private let properties: PropertyTable
    /// What an engine may keep otherwise than it is given; nil where a value is to be read back to be
    /// known as it is stored.
    let restoredColumns: RestoredColumns?

    /// Sets what stored values get for properties that a migration adds.
    let defaults: (@Sendable (inout Assignments<Model>) -> Void)?
    /// The facts known of the columns of embedded structs.
    let embedded: EmbeddedFields
    /// The properties that have the values of other models which lead to a value, and are not stored.
    let inverses: [InverseProperty<Model>]

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - name: The stored name of the entity.
    ///   - fields: The fields in the order in which `init(row:)` and `write(to:)` name them.
    ///   - indexes: Indexes over several fields.
    ///   - defaults: Sets what stored values get for properties that a migration adds, unless it says otherwise.
    ///   - inverses: The properties that have the values of other models which lead to a value, and are not stored.
    public init(
        name: String,
        fields: [SchemaField<Model>],
        indexes: [StoredIndex<Model>] = [],
        defaults: (@Sendable (inout Assignments<Model>) -> Void)? = nil,
        inverses: [InverseProperty<Model>] = []
    ) {
        self.defaults = defaults
        self.inverses = inverses
        var columns: [FieldSchema] = []
        var restorations: [ColumnRestoration] = []
        var properties = EmbeddedFields()
        var keys: [Int] = []
        var generation = PrimaryKeyGeneration.given
        var related = SchemaRelationships(name)
        for field in fields {
            let position = columns.count
            related.add(field, at: position)
            if field.relationship?.isToMany ?? false { continue }
            properties.add(field, at: position)
            columns += field.columns
            restorations += field.restorations
            if let primaryKey = field.primaryKey {
                keys += Array(position..<position + field.columns.count)
                generation = primaryKey
            }
        }
        embedded = properties
        let positions = properties.positions
        var failure = related.failure
        if let field = properties.misplacedRelationship {
            failure = DBClientError(
                .invalidSchema,
                "An embedded struct must not have relationships.",
                entity: name,
                field: field
            )
        }
        failure =
            properties.searched.lazy.compactMap { $0.failure(in: columns, of: name) }.first
            ?? failure
        if let field = fields.first(where: \.holdsModels) {
            failure = DBClientError(
                .invalidSchema,
                "A collection of another model's values must be neither optional nor nested.",
                entity: name,
                field: field.columns.first?.name,
                hint:
                    "Make it an array or a set, which may be empty, or `References`."
            )
        }
        var indexed = properties.indexes
        for index in indexes {
            let found = index.keyPaths.map { positions[$0] }
            if found.contains(nil) {
                failure = DBClientError(
                    .invalidSchema,
                    "An index must name stored properties; it names one that is not stored.",
                    entity: name
                )
            }
            indexed.append(
                IndexSchema(fields: found.compactMap { $0 }, isUnique: index.isUnique)
            )
        }
        // The key itself finds what its first fields refer to.
        let keyReferences = fields.filter { $0.primaryKey != nil && $0.relationship != nil }
        if !keyReferences.isEmpty {
            indexed.removeAll { !$0.isUnique && keys.starts(with: $0.fields) }
        }
        if generation == .generated, failure == nil {
            failure = Self.checkGeneration(
                name: name,
                columns: columns,
                keys: keys,
                isReference: !keyReferences.isEmpty
            )
        }
        let shards = fields.filter(\.isShardKey)
        let shardKey = shards.first.flatMap { positions[$0.keyPath] }
        failure = failure ?? Self.checkShards(name: name, shards, embedded: properties.shardKey)
        let relationships = related.schemas(
            ownerKey: keys.map { columns[$0] },
            shard: shardKey.flatMap { keys.firstIndex(of: $0) },
            owner: { Model.schema.entity }
        )
        if failure == nil,
            let wide = relationships.first(where: { $0.link?.hasTooManyKeys ?? false })
        {
            failure = DBClientError(
                .invalidSchema,
                "The primary key of the link between two models must have at most"
                    + " \(EntitySchema.maximumIndexedFields) fields.",
                entity: name,
                field: wide.name
            )
        }
        var found = positions.mapValues { StoredProperty(position: $0) }
        for (keyPath, width) in properties.widths { found[keyPath]?.width = width }
        for (keyPath, relationship) in related.positions {
            found[keyPath, default: StoredProperty()].relationship = relationship
        }
        self.properties = PropertyTable(found)
        restoredColumns = RestoredColumns(
            restorations,
            made: generation == .generated ? keys : []
        )
        self.layoutColumns = related.layoutColumns
        let entity = EntitySchema(
            name: name,
            fields: columns,
            primaryKey: keys,
            keyGeneration: generation,
            indexes: indexed,
            searchedFields: properties.searched.map(\.position),
            relationships: relationships,
            shardKey: shardKey,
            initial: { InitialValues<Model>.constants() },
            views: Model.lazyViews,
            failure: failure
        )
        self.entity = entity
        self.layout = related.layout(of: entity)
    }

    /// Creates the schema of what has no properties, the rows of an entity that is stored nowhere.
    init(of entity: EntitySchema) {
        self.entity = entity
        layout = entity
        layoutColumns = Array(entity.fields.indices)
        properties = PropertyTable([:])
        restoredColumns = nil
        defaults = nil
        embedded = EmbeddedFields()
        inverses = []
    }

    private static func checkShards(
        name: String,
        _ fields: [SchemaField<Model>],
        embedded: String?
    ) -> DBClientError? {
        func invalid(_ message: String, field: String?) -> DBClientError {
            DBClientError(.invalidSchema, message, entity: name, field: field)
        }
        if let embedded {
            return invalid("An embedded struct must not have the shard key.", field: embedded)
        }
        if fields.count > 1 {
            return invalid(
                "A model must have one shard key; got \(fields.count).",
                field: fields[1].columns.first?.name
            )
        }
        if let field = fields.first, field.columns.count != 1 {
            return invalid(
                "A shard key must be one field; got \(field.columns.count).",
                field: field.columns.first?.name ?? field.relationship?.name
            )
        }
        return nil
    }

    private static func checkGeneration(
        name: String,
        columns: [FieldSchema],
        keys: [Int],
        isReference: Bool
    ) -> DBClientError? {
        guard !isReference else {
            return DBClientError(
                .invalidSchema,
                "A primary key that is a reference must be given, not generated.",
                entity: name
            )
        }
        guard keys.count == 1 else {
            return DBClientError(
                .invalidSchema,
                "A generated primary key must have one field; got \(keys.count).",
                entity: name
            )
        }
        switch columns[keys[0]].type {
        case .integer, .uuid, .text: return nil
        default:
            return DBClientError(
                .invalidSchema,
                "A generated primary key must be an integer, a UUID or a string.",
                entity: name,
                field: columns[keys[0]].name
            )
        }
    }

    /// Returns what is known of a property, or nil when it is not stored.
    func property(of keyPath: AnyKeyPath) -> StoredProperty? {
        properties.property(of: keyPath)
    }

    /// The properties by how their key paths are described.
    var describedProperties: [DescribedProperty] { properties.described }

    /// Returns the position of a property's first column, or nil when it is not stored.
    func position(of keyPath: AnyKeyPath) -> Int? {
        property(of: keyPath)?.position
    }

    /// Returns the positions of a property's columns, or nil when it is not stored.
    func columns(of keyPath: AnyKeyPath) -> Range<Int>? {
        guard let found = property(of: keyPath), let first = found.position else { return nil }
        return first..<first + found.width
    }

    /// Returns the relationship that a property is, or nil.
    func relationship(of keyPath: AnyKeyPath) -> RelationshipSchema? {
        entity.isFlat ? nil : relationship(property(of: keyPath))
    }

    /// Returns the relationship that a property is, or nil.
    func relationship(_ property: StoredProperty?) -> RelationshipSchema? {
        property?.relationship.map { entity.relationships[$0] }
    }
}

/// A struct whose fields become columns of the entity that holds it, named `owner_field`, so that
/// they can be queried and indexed like any other.
///
/// `@Embedded` writes the conformance.
public protocol EmbeddedValue: Sendable {
    /// The fields of the struct, each with its key path and its stored name.
    static var schema: EmbeddedSchema<Self> { get }

    /// Reads each field once in the schema's order.
    init(row: inout RowReader) throws

    /// Writes each field once in the schema's order.
    func write(to row: inout RowWriter) throws
}

/// An index over one or more properties of a model, 32 at most.
public struct StoredIndex<Model>: Sendable {
    nonisolated(unsafe) let keyPaths: [AnyKeyPath]
    let isUnique: Bool

    /// An index over the properties, most significant first.
    public init<each Value>(_ keyPath: repeat KeyPath<Model, each Value>) {
        self.init(isUnique: false, repeat each keyPath)
    }

    /// An index that refuses two values equal in all the properties, none of them nil.
    public static func unique<each Value>(_ keyPath: repeat KeyPath<Model, each Value>) -> Self {
        Self(isUnique: true, repeat each keyPath)
    }

    private init<each Value>(isUnique: Bool, _ keyPath: repeat KeyPath<Model, each Value>) {
        var keyPaths: [AnyKeyPath] = []
        for path in repeat each keyPath { keyPaths.append(path) }
        self.keyPaths = keyPaths
        self.isUnique = isUnique
    }
}
