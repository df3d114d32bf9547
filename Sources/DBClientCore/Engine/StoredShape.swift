/// The shape of what a store keeps under one name, as the engine finds it without a model.
///
/// An engine describes what it has; ``EntityCatalog`` makes entities of that.
public struct StoredShape: Sendable {
    /// The stored name of the entity.
    public var name: String
    /// The fields that can be read and written, in stored order.
    public var fields: [FieldSchema]
    /// The positions of the primary key's fields, in key order; empty where the key cannot be told.
    public var primaryKey: [Int]
    /// Whether the store makes the keys of new rows; `given` where it does not say.
    public var keyGeneration: PrimaryKeyGeneration
    /// The indexes over these fields, without that of the primary key.
    public var indexes: [IndexSchema]
    /// What the store has under this name and no field can hold, with the reasons.
    public var omissions: [Omission]

    /// A part of what is stored that is left out of the shape.
    public struct Omission: Hashable, Sendable {
        /// The stored name of the part; nil where all is left out.
        public var field: String?
        /// Why it is left out, as a sentence.
        public var reason: String

        /// Creates an omission of a field, or of everything.
        public init(field: String?, reason: String) {
            self.field = field
            self.reason = reason
        }
    }

    /// Creates a shape from its parts.
    public init(
        name: String,
        fields: [FieldSchema],
        primaryKey: [Int],
        keyGeneration: PrimaryKeyGeneration = .given,
        indexes: [IndexSchema] = [],
        omissions: [Omission] = []
    ) {
        self.name = name
        self.fields = fields
        self.primaryKey = primaryKey
        self.keyGeneration = keyGeneration
        self.indexes = indexes
        self.omissions = omissions
    }

    /// Creates the shape of a name of which nothing can be read.
    public init(name: String, unreadable reason: String) {
        self.init(
            name: name,
            fields: [],
            primaryKey: [],
            omissions: [Omission(field: nil, reason: reason)]
        )
    }
}

extension StoredShape {
    /// Returns the shape with its fields in the order of some names, and then the others; nil where a name is missing.
    func ordered(by names: [String]) -> StoredShape? {
        let first = names.compactMap { name in
            fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        }
        guard first.count == names.count else { return nil }
        let order = first + fields.indices.filter { !first.contains($0) }
        var places = Array(repeating: 0, count: fields.count)
        for (place, position) in order.enumerated() { places[position] = place }
        var shape = self
        shape.fields = order.map { fields[$0] }
        shape.primaryKey = primaryKey.map { places[$0] }
        shape.indexes = indexes.map { index in
            IndexSchema(fields: index.fields.map { places[$0] }, isUnique: index.isUnique)
        }
        return shape
    }
}
