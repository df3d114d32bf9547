/// The fields of an embedded struct, which become columns of its owner.
public struct EmbeddedSchema<Value: EmbeddedValue>: Sendable {
    let columns: [FieldSchema]
    let restorations: [ColumnRestoration]
    private(set) var fields: EmbeddedFields

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - fields: The fields in the order in which the value reads and writes them.
    ///   - defaults: Sets what stored values get for properties that a migration adds to the struct.
    public init(
        fields: [SchemaField<Value>],
        defaults: (@Sendable (inout StartingValues<Value>) throws -> Void)? = nil
    ) {
        var columns: [FieldSchema] = []
        var properties = EmbeddedFields()
        for field in fields {
            properties.add(field, at: columns.count)
            columns += field.columns
        }
        self.columns = columns
        self.restorations = fields.flatMap(\.restorations)
        if let defaults { properties.starting.append(StartingFields(defaults)) }
        self.fields = properties
        self.fields.misplacedRelationship =
            fields.lazy.compactMap { $0.relationship?.name ?? $0.heldName }.first
            ?? properties.misplacedRelationship
        self.fields.shardKey =
            fields.first(where: \.isShardKey)?.columns.first?.name ?? properties.shardKey
    }

    func position(of keyPath: AnyKeyPath) -> Int? {
        fields.positions[keyPath]
    }

    /// Returns the positions of a property's columns, or nil when it is not stored.
    func columns(of keyPath: AnyKeyPath) -> Range<Int>? {
        guard let first = fields.positions[keyPath], let width = fields.widths[keyPath] else {
            return nil
        }
        return first..<first + width
    }
}

/// The columns of the properties of a struct, and which of them are indexed.
struct EmbeddedFields: Sendable {
    /// The position of each property's first column; shared between threads, since key paths have no mutable state.
    nonisolated(unsafe) private(set) var positions: [AnyKeyPath: Int] = [:]
    /// How many columns each property has.
    nonisolated(unsafe) private(set) var widths: [AnyKeyPath: Int] = [:]
    /// Indexes of one field, or of the columns of one relationship.
    private(set) var indexes: [IndexSchema] = []
    /// A relationship among the fields of an embedded struct.
    var misplacedRelationship: String?
    /// A shard key among the fields of an embedded struct.
    var shardKey: String?
    /// The initial values of the fields of embedded structs, those of an inner struct before those of the one
    /// around it.
    var starting: [StartingFields] = []
    /// The columns that are searched.
    private(set) var searched: [SearchedColumn] = []
    /// The columns that are in an optional struct, each with the one that says whether the struct is present.
    private(set) var presences: [Int: Presence] = [:]

    /// The facts known of a column that is in an optional struct.
    struct Presence: Sendable {
        /// The position of the column that says whether the innermost optional struct is present.
        var column: Int
        /// Whether a struct that is present must have the field.
        let isRequired: Bool
    }

    /// Adds a property whose first column is at a position, with what is embedded in it.
    mutating func add<Owner>(_ field: SchemaField<Owner>, at position: Int) {
        positions[field.keyPath] = position
        widths[field.keyPath] = field.columns.count
        widths.merge(field.embedded.widths) { $1 }
        for (keyPath, offset) in field.embedded.positions {
            positions[keyPath] = position + offset
        }
        if let index = field.index {
            let columns = field.relationship == nil ? 1 : field.columns.count
            indexes.append(
                IndexSchema(
                    fields: Array(position..<position + columns),
                    isUnique: index == .unique
                )
            )
        }
        if let weight = field.searchWeight {
            let isText = field.columns.count == 1 && field.columns[0].type == .text
            searched.append(SearchedColumn(position: position, weight: weight, isText: isText))
        }
        searched += field.embedded.searched.map { $0.moved(by: position) }
        misplacedRelationship = misplacedRelationship ?? field.embedded.misplacedRelationship
        shardKey = shardKey ?? field.embedded.shardKey
        starting += field.embedded.starting.map { $0.moved(by: position) }
        for (column, presence) in field.embedded.presences {
            presences[position + column] = presence.moved(by: position)
        }
        indexes += field.embedded.indexes.map { $0.moved(by: position) }
    }

    /// The same fields with their key paths from the struct's owner.
    func inside(_ owner: AnyKeyPath) -> EmbeddedFields {
        var copy = self
        copy.positions = [:]
        copy.widths = [:]
        for (keyPath, position) in positions {
            guard let composed = owner.appending(path: keyPath) else { continue }
            copy.positions[composed] = position
            copy.widths[composed] = widths[keyPath]
        }
        return copy
    }

    /// The same fields after the column that says whether the struct is present.
    ///
    /// They have no key path: one through an optional cannot be composed at run time.
    func behindPresence(of columns: [FieldSchema]) -> EmbeddedFields {
        var copy = EmbeddedFields()
        copy.misplacedRelationship = misplacedRelationship
        copy.shardKey = shardKey
        copy.starting = starting.map { $0.moved(by: 1) }
        for (position, column) in columns.enumerated() {
            copy.presences[position + 1] =
                presences[position]?.moved(by: 1)
                ?? Presence(column: 0, isRequired: !column.isOptional)
        }
        copy.indexes = indexes.map { $0.moved(by: 1) }
        copy.searched = searched.map { $0.moved(by: 1) }
        return copy
    }
}

extension EmbeddedFields.Presence {
    fileprivate func moved(by distance: Int) -> Self {
        Self(column: column + distance, isRequired: isRequired)
    }
}

extension IndexSchema {
    fileprivate func moved(by distance: Int) -> IndexSchema {
        IndexSchema(fields: fields.map { $0 + distance }, isUnique: isUnique)
    }
}
