/// The fields of an embedded struct, which become columns of its owner.
public struct EmbeddedSchema<Value: EmbeddedValue>: Sendable {
    let columns: [FieldSchema]
    let restorations: [ColumnRestoration]
    private(set) var fields: EmbeddedFields

    /// Creates a schema of fields in the order in which the value reads and writes them.
    public init(fields: [SchemaField<Value>]) {
        var columns: [FieldSchema] = []
        var properties = EmbeddedFields()
        for field in fields {
            properties.add(field, at: columns.count)
            columns += field.columns
        }
        self.columns = columns
        self.restorations = fields.flatMap(\.restorations)
        self.fields = properties
        self.fields.misplacedRelationship =
            fields.lazy.compactMap(\.relationship?.name).first ?? properties.misplacedRelationship
    }

    func position(of keyPath: AnyKeyPath) -> Int? {
        fields.positions[keyPath]
    }
}

/// Where the properties of a struct are among its columns, and which of them are indexed.
struct EmbeddedFields: Sendable {
    /// Key paths hold no state.
    nonisolated(unsafe) private(set) var positions: [AnyKeyPath: Int] = [:]
    /// How many columns each property has.
    nonisolated(unsafe) private(set) var widths: [AnyKeyPath: Int] = [:]
    /// Indexes of one field, or of the columns of one relationship.
    private(set) var indexes: [IndexSchema] = []
    /// A relationship among the fields of an embedded struct.
    var misplacedRelationship: String?

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
        misplacedRelationship = misplacedRelationship ?? field.embedded.misplacedRelationship
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

    /// The same fields after the column that says whether the struct is there.
    ///
    /// They have no key path: one through an optional cannot be composed at run time.
    func behindPresence() -> EmbeddedFields {
        var copy = EmbeddedFields()
        copy.misplacedRelationship = misplacedRelationship
        copy.indexes = indexes.map { $0.moved(by: 1) }
        return copy
    }
}

extension IndexSchema {
    fileprivate func moved(by distance: Int) -> IndexSchema {
        IndexSchema(fields: fields.map { $0 + distance }, isUnique: isUnique)
    }
}
