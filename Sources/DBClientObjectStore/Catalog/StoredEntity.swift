import DBClientCore
import Foundation

/// An entity as the store describes it itself, in its catalog.
struct StoredEntity: Codable, Equatable {
    struct Field: Codable, Equatable {
        var name: String
        var type: String
        var isOptional: Bool
        /// What the values are written as; nil in a store of a former version of the library.
        var form: String?
    }

    struct Index: Codable, Equatable {
        /// The number in the name of the index's table.
        var number: Int
        var fields: [Int]
        var isUnique: Bool
    }

    /// An index of words.
    struct Search: Codable, Equatable {
        /// The number in the name of the index's table.
        var number: Int
        var fields: [Int]
        /// What the words depend on beside the texts.
        var version: String
    }

    /// The entity's name, which is also in the key, where damage cannot be detected.
    var name: String
    /// The number in the names of the entity's tables.
    var number: Int
    /// The version that every record of this layout carries.
    var version: UInt16
    var fields: [Field]
    var primaryKey: [Int]
    var indexes: [Index]
    /// The number of the next index.
    var nextIndex: Int
    /// The indexes of words; nil where there were never any.
    var searches: [Search]?
    /// What tells writers that keep the stored views of the entity from others; nil where there are none.
    var viewMark: String?

    /// Describes a schema, with every index yet to be made.
    init(_ entity: EntitySchema, number: Int) {
        name = entity.name
        self.number = number
        version = 1
        fields = entity.fields.map {
            Field(
                name: $0.name,
                type: $0.type.name,
                isOptional: $0.isOptional,
                form: $0.form.note
            )
        }
        primaryKey = entity.primaryKey
        indexes = []
        nextIndex = 0
    }

    /// Returns the schema's column of each stored field.
    ///
    /// - Throws: `.schemaMismatch` when the model's fields are not the stored ones.
    func columns(of entity: EntitySchema) throws -> [Int] {
        func mismatch(_ message: String, _ field: String) -> DBClientError {
            DBClientError(
                .schemaMismatch,
                message,
                entity: entity.name,
                field: field,
                hint: """
                    Another version of the model wrote the store, or another model of this name. Migrate the \
                    store to the model: client.migrate(_:).
                    """
            )
        }
        let columns = try fields.map { field in
            guard let column = entity.position(of: field.name) else {
                throw mismatch("The store has a field that the model lacks.", field.name)
            }
            let model = entity.fields[column]
            guard field.isWritten(as: model), model.isOptional == field.isOptional else {
                throw model.mismatch(
                    of: entity,
                    writtenAs: FieldForm(field.form ?? field.type),
                    isOptional: field.isOptional
                )
            }
            return column
        }
        if columns.count < entity.fields.count {
            let missing = entity.fields.indices.first { !columns.contains($0) } ?? 0
            throw mismatch("The store lacks a field of the model.", entity.fields[missing].name)
        }
        guard primaryKey.map({ columns[$0] }) == entity.primaryKey else {
            throw mismatch(
                "The stored primary key is made of other fields.",
                entity.fields[entity.primaryKey[0]].name
            )
        }
        return columns
    }
}

extension StoredEntity {
    /// Reads the description of the entity with a name: a checksum and JSON.
    ///
    /// Nil when it is damaged, or of another entity.
    init?(coded bytes: UnsafeRawBufferPointer, of name: some Sequence<UInt8>) {
        guard bytes.count > 4, let start = bytes.baseAddress,
            case let expected = start.loadUnaligned(as: UInt32.self),
            let head = (0...Self.headWithSearches | Self.headWithViews).first(where: {
                checksum(start + 4, bytes.count - 4, after: $0) == expected
            }),
            let stored = try? JSONDecoder().decode(
                StoredEntity.self,
                from: Data(bytes.dropFirst(4))
            ),
            stored.isConsistent, stored.head == head, stored.name.utf8.elementsEqual(name)
        else { return nil }
        self = stored
    }

    /// The head of the checksum of an entity with indexes of words.
    ///
    /// A former version of the library takes such a description for damage, so that it writes no row without its words.
    private static let headWithSearches: UInt32 = 1

    /// What is in the head of the checksum of an entity with stored views, which a former version would not keep.
    private static let headWithViews: UInt32 = 2

    private var head: UInt32 {
        ((searches ?? []).isEmpty ? 0 : Self.headWithSearches)
            | (viewMark == nil ? 0 : Self.headWithViews)
    }

    /// Whether names occur once and positions are those of fields: the file may be of another's making.
    private var isConsistent: Bool {
        Set(fields.map { Array($0.name.utf8) }).count == fields.count
            && (primaryKey + indexes.flatMap(\.fields) + (searches ?? []).flatMap(\.fields))
                .allSatisfy(fields.indices.contains)
    }

    func coded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = [UInt8](try encoder.encode(self))
        return json.withUnsafeBytes { json in
            guard let start = json.baseAddress else { return [] }
            return withUnsafeBytes(of: checksum(start, json.count, after: head)) { Array($0) }
                + Array(json)
        }
    }
}

extension StoredEntity {
    /// Returns how what is stored differs from what a model needs.
    func difference(from entity: EntitySchema) -> ShapeDifference {
        var difference = ShapeDifference()
        for (position, model) in entity.fields.enumerated() {
            guard let field = fields.first(where: { $0.has(model.name) }) else {
                difference.missing.append(position)
                continue
            }
            difference.written[position] = field.form.map { FieldForm($0) }
            if !field.isWritten(as: model) || field.isOptional && !model.isOptional {
                difference.unfit.append(position)
            } else if field.isOptional != model.isOptional {
                difference.relaxed.append(position)
            }
        }
        difference.surplus = fields.map(\.name).filter { entity.position(of: $0) == nil }
        difference.required = difference.surplus
        difference.unindexed = entity.indexes.indices.filter { position in
            let wanted = entity.indexes[position]
            return !indexes.contains { index in
                index.isUnique == wanted.isUnique && index.fields.count == wanted.fields.count
                    && zip(index.fields, wanted.fields).allSatisfy {
                        fields[$0].has(entity.fields[$1].name)
                    }
            }
        }
        difference.lacksSearchIndex =
            !entity.searchedFields.isEmpty
            && !currentSearches.contains { search in
                search.fields.count == entity.searchedFields.count
                    && zip(search.fields, entity.searchedFields).allSatisfy {
                        fields[$0].has(entity.fields[$1].name)
                    }
            }
        let keys = primaryKey.map { fields[$0] }
        difference.hasOtherKey =
            keys.count != entity.primaryKey.count
            || !zip(keys, entity.primaryKey).allSatisfy { $0.has(entity.fields[$1].name) }
        return difference
    }

    /// Notes that the fields with these names may be absent.
    mutating func relax(_ names: [String]) {
        for position in fields.indices where names.contains(where: fields[position].has) {
            fields[position].isOptional = true
        }
    }

    /// The fields as a schema has them; nil when one has no type that is known.
    var schemas: [FieldSchema]? {
        let known = fields.compactMap { field in
            FieldType(named: field.type).map {
                FieldSchema(
                    name: field.name,
                    type: $0,
                    isOptional: field.isOptional,
                    form: field.form.map { FieldForm($0) } ?? FieldForm($0)
                )
            }
        }
        return known.count == fields.count ? known : nil
    }
}

extension StoredEntity.Field {
    /// Whether the field's values are read as values of a model's field.
    func isWritten(as model: FieldSchema) -> Bool {
        type == model.type.name && form.map { FieldForm($0).fits(model.form) } ?? true
    }

    /// Whether the field has a name, byte by byte.
    func has(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension StoredEntity {
    /// The indexes of words that this program reads and keeps.
    var currentSearches: [Search] {
        (searches ?? []).filter { $0.version == SearchIndexVersion.current }
    }

    /// The indexes of words whose words may be others to this program.
    var outdatedSearches: [Search] {
        (searches ?? []).filter { $0.version != SearchIndexVersion.current }
    }

    /// Returns whether the store lacks the index of words of a schema, given the schema's column of each stored field.
    func lacksSearch(of entity: EntitySchema, _ columns: [Int]) -> Bool {
        !entity.searchedFields.isEmpty
            && !currentSearches.contains {
                $0.fields.map { columns[$0] } == entity.searchedFields
            }
    }

    /// Returns the indexes of a schema that the store does not have, given the schema's column of each
    /// stored field.
    func indexesMissing(of entity: EntitySchema, _ columns: [Int]) -> [IndexSchema] {
        entity.indexes.filter { wanted in
            !indexes.contains {
                $0.isUnique == wanted.isUnique && $0.fields.map { columns[$0] } == wanted.fields
            }
        }
    }
}
