/// The stored shape of one entity, as engines see it: names, types, keys and indexes, no model.
///
/// There is one instance for each model type, so engines may cache what they derive by identity.
public final class EntitySchema: Sendable {
    /// The stored name: the table's name on a relational engine.
    public let name: String
    /// The stored name as what the entity is found by.
    public let exactName: EntityName
    /// The fields in the order in which a row carries them.
    public let fields: [FieldSchema]
    /// The positions of the primary key's fields, in key order.
    ///
    /// Never empty in a valid schema.
    public let primaryKey: [Int]
    /// The positions of the other fields, ascending.
    public let columnsBesideKey: [Int]
    /// Whether the caller or the store makes the primary key.
    public let keyGeneration: PrimaryKeyGeneration
    /// The position of the field by whose value rows are kept together on one of several servers; nil, as a rule, where
    /// they are not spread by any.
    ///
    /// A part of the primary key and of every unique index.
    public let shardKey: Int?
    /// Returns the position of the field that has the shard key of what a link leads to, where that is the owner's; nil
    /// for an entity that stores no links.
    let shardKeyOfTarget: (@Sendable () -> Int?)?
    /// Secondary indexes, those of single fields first, in declaration order.
    public let indexes: [IndexSchema]
    /// The positions of the texts that are searched, in declaration order.
    package let searchedFields: [Int]
    /// The entity's relationships, in declaration order.
    ///
    /// Empty for a flat model.
    public let relationships: [RelationshipSchema]
    /// Whether the entity has no relationship, so that a row is the whole value.
    @usableFromInline package let isFlat: Bool
    /// The owner of the links that the entity stores; nil for an entity that stores none.
    public let linkOwner: LinkOwner?
    /// Whether it may be mistaken for the links of a relationship, without having one itself.
    let resemblesLinks: Bool
    /// Whether the rows are stored: those of a join are put together from such rows.
    let isStored: Bool
    /// Why the model is malformed, when it is; every use of the entity throws it.
    public let failure: DBClientError?
    /// Returns what fields begin with in the model, by the fields' positions, where that is one value for all; nil for
    /// an entity without a model.
    ///
    /// It evaluates the model's expressions, several times.
    private let initial: (@Sendable () -> [Int: StorageValue])?

    /// The views that are kept from the rows, or what the entity is a view of; nil where there are none.
    private let lazyViews: LazyEntityViews?
    /// Whether views are kept from the entity's rows, or it is one itself.
    package let hasViews: Bool

    /// Whether any field has a format.
    package let hasFormats: Bool

    /// The position of the only primary key field when it is an integer, the commonest key.
    public let integerKey: Int?

    /// Whether a primary key may be longer than every engine takes.
    @usableFromInline let mayHaveLongKey: Bool
    /// By the bytes of their names: as a `String`, two names that Unicode holds to be equal would be one.
    private let positions: [[UInt8]: Int]

    package init(
        name: String,
        fields: [FieldSchema],
        primaryKey: [Int],
        keyGeneration: PrimaryKeyGeneration,
        indexes: [IndexSchema],
        searchedFields: [Int] = [],
        relationships: [RelationshipSchema] = [],
        linkOwner: LinkOwner? = nil,
        shardKey: Int? = nil,
        shardKeyOfTarget: (@Sendable () -> Int?)? = nil,
        initial: (@Sendable () -> [Int: StorageValue])? = nil,
        views: LazyEntityViews? = nil,
        failure: DBClientError?,
        isStored: Bool = true
    ) {
        self.name = name
        self.isStored = isStored
        self.initial = initial
        lazyViews = views
        hasViews = views != nil
        self.linkOwner = linkOwner
        self.shardKey = shardKey
        self.shardKeyOfTarget = shardKeyOfTarget
        exactName = EntityName(name)
        self.fields = fields
        self.primaryKey = primaryKey
        hasFormats = fields.contains { $0.form.format != nil }
        columnsBesideKey = fields.indices.filter { !primaryKey.contains($0) }
        self.keyGeneration = keyGeneration
        self.indexes = indexes
        self.searchedFields = searchedFields
        self.relationships = relationships
        self.isFlat = relationships.isEmpty
        self.resemblesLinks =
            relationships.isEmpty && Self.resemblesLinks(fields, primaryKey: primaryKey)
        if primaryKey.count == 1, case .integer = fields[primaryKey[0]].type {
            integerKey = primaryKey[0]
        } else {
            integerKey = nil
        }
        let keyWidths = primaryKey.map { fields[$0].type.keyWidth }
        self.mayHaveLongKey =
            keyWidths.contains(nil)
            || keyWidths.reduce(0) { $0 + ($1 ?? 0) } > Self.maximumEncodedKeyLength
        self.positions = Dictionary(
            fields.enumerated().map { (Array($1.name.utf8), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        // What joined rows are like follows from their parts.
        self.failure =
            failure
            ?? (isStored
                ? Self.check(name: name, fields: fields, primaryKey: primaryKey, indexes: indexes)
                    ?? Self.checkShardKey(
                        shardKey,
                        name: name,
                        fields: fields,
                        primaryKey: primaryKey,
                        indexes: indexes
                    )
                : nil)
    }

    /// Returns the position of the field with a stored name, or nil.
    public func position(of name: String) -> Int? {
        positions[Array(name.utf8)]
    }

    /// Returns what fields beside the primary key begin with in the model, by the fields' positions, as far as that is
    /// the same for every value.
    ///
    /// For an engine that keeps it with a table that it creates: a program that does not know the field yet can then
    /// insert rows without it. The model's expressions are evaluated each time.
    package func initialValues() -> [Int: StorageValue] { initial?() ?? [:] }

    /// The views that are kept from the rows, or what the entity is a view of.
    package var views: EntityViews { lazyViews?.value ?? .none }

    /// Whether the entity is a stored view.
    package var isView: Bool { lazyViews?.isView ?? false }

    /// Whether the model of the entity names a view among those that are kept from its values.
    func names(view: EntitySchema) -> Bool { lazyViews?.names(view) ?? false }

    /// Throws unless the entity's rows are stored, so that they can be found by a key and written.
    func requireStored() throws {
        if isStored { return }
        throw DBClientError(
            .invalidRequest,
            "Rows that are found by a key or written must be of one entity; these are joined.",
            entity: name
        )
    }

    /// Throws what is wrong with the model, if anything is.
    @inlinable
    public func validate() throws {
        if let failure { throw failure }
    }
}

extension EntitySchema: Hashable {
    /// Two schemas are equal when they are the same instance.
    public static func == (left: EntitySchema, right: EntitySchema) -> Bool { left === right }

    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// One stored field of an entity: its name, its type and whether it may be absent.
public struct FieldSchema: Hashable, Sendable {
    /// The stored name: the column's name on a relational engine.
    public let name: String
    /// What the field means, from which an engine derives the type of its column.
    public let type: FieldType
    /// Whether the field may be absent.
    public let isOptional: Bool
    /// The form in which its values are written.
    public let form: FieldForm

    /// Creates a field of whose values no more is known than their type.
    public init(name: String, type: FieldType, isOptional: Bool) {
        self.init(name: name, type: type, isOptional: isOptional, form: FieldForm(type))
    }

    /// Creates a field from its parts.
    public init(name: String, type: FieldType, isOptional: Bool, form: FieldForm) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.form = form
    }

    /// Returns the field with values that a column keeps in a format.
    package func stored(as format: ColumnFormat) -> FieldSchema {
        FieldSchema(
            name: name,
            type: type,
            isOptional: isOptional,
            form: form.stored(as: format)
        )
    }

    /// Whether values of the field are read as values of another.
    public func holds(_ other: FieldSchema) -> Bool {
        type == other.type && isOptional == other.isOptional && form.fits(other.form)
            && name.utf8.elementsEqual(other.name.utf8)
    }

    /// The kind of slot that the field takes, with a bit set where it has a format and the high bit when it may be null.
    var shape: UInt8 {
        type.slotKind.rawValue | (form.format == nil ? 0 : FieldSchema.formatBit)
            | (isOptional ? 0x80 : 0)
    }

    static let formatBit: UInt8 = 0x40
}

/// One secondary index: the fields that it covers, and whether it is unique.
public struct IndexSchema: Hashable, Sendable {
    /// The positions of the indexed fields, most significant first.
    public let fields: [Int]
    /// Whether two rows with equal values, none of them nil, are refused.
    public let isUnique: Bool

    /// Creates an index over fields, given by their positions.
    public init(fields: [Int], isUnique: Bool) {
        self.fields = fields
        self.isUnique = isUnique
    }
}

/// Whether the caller or the store makes the primary key of a new value.
public enum PrimaryKeyGeneration: Hashable, Sendable {
    /// The caller sets the key before it inserts the value.
    case given
    /// The store, for a value whose key is the type's zero: 0 gets the next integer, the all-zero
    /// UUID and the empty string get a random UUID. Integers are never reused within a store.
    case generated
}

extension EntitySchema {
    /// The longest identifier that every engine keeps whole: PostgreSQL cuts longer ones silently.
    static let maximumNameLength = 63
    /// The most fields that an index of every engine has, or a primary key: PostgreSQL's limit.
    static let maximumIndexedFields = 32
    /// The most fields of an entity: a table of PostgreSQL has room for 1,600 columns at most, one of SQLite for
    /// 2,000.
    static let maximumFieldCount = 1_500

    private static func check(
        name: String,
        fields: [FieldSchema],
        primaryKey: [Int],
        indexes: [IndexSchema]
    ) -> DBClientError? {
        func invalid(_ message: String, field: String? = nil) -> DBClientError {
            DBClientError(.invalidSchema, message, entity: name, field: field)
        }
        for identifier in [name] + fields.map(\.name) {
            let bytes = identifier.utf8
            if bytes.isEmpty || bytes.count > maximumNameLength || bytes.contains(0) {
                return invalid(
                    "A stored name must have 1 to \(maximumNameLength) bytes of UTF-8 and no NUL.",
                    field: identifier
                )
            }
        }
        guard fields.count <= maximumFieldCount else {
            return invalid(
                "An entity must have at most \(maximumFieldCount) fields; got \(fields.count)."
            )
        }
        var seen = Set<[UInt8]>()
        for field in fields where !seen.insert(Array(asciiFolded(field.name))).inserted {
            return invalid(
                "Two fields must not have the same stored name; upper and lower case are the same here.",
                field: field.name
            )
        }
        for field in fields {
            if let failure = field.form.format?.failure(of: field.type) {
                return invalid(failure, field: field.name)
            }
        }
        guard !primaryKey.isEmpty else {
            return invalid("A model must have a primary key.")
        }
        for (columns, what) in [(primaryKey, "A primary key")]
            + indexes.map({ ($0.fields, "An index") })
        where columns.count > maximumIndexedFields {
            return invalid(
                "\(what) must have at most \(maximumIndexedFields) fields; got \(columns.count).",
                field: fields[columns[0]].name
            )
        }
        for position in primaryKey where fields[position].isOptional {
            return invalid("A primary key must not be optional.", field: fields[position].name)
        }
        for position in primaryKey where fields[position].type == .json {
            return invalid("A primary key must not be a JSON value.", field: fields[position].name)
        }
        for index in indexes where index.fields.isEmpty {
            return invalid("An index must have at least one field.")
        }
        for index in indexes {
            for position in index.fields where fields[position].type == .json {
                return invalid("An indexed field must not be JSON.", field: fields[position].name)
            }
        }
        return nil
    }
}
