import DBClientCore

/// What a database says of its tables, in the terms of no engine.
struct DatabaseCatalog: Hashable, Sendable {
    /// Tables and views, in the order of the bytes of their names.
    var tables: [CatalogTable] = []
    /// Enum types, in the order of the bytes of their names.
    var enums: [CatalogEnum] = []
    /// Relationships that the library has noted of its own tables.
    var relationships: [CatalogRelationship] = []

    /// The tables in which the library keeps its own notes.
    static let bookkeeping: Set<String> = [
        RelationshipNotes.table, "dbclient_migrations", "dbclient_copies", "dbclient_journal",
    ]
}

/// An enum type of the database.
struct CatalogEnum: Hashable, Sendable {
    var name: String
    /// The labels in the order of the type.
    var labels: [String]
    var comment: String?
}

/// A relationship of a model, as the library has noted it in the database.
struct CatalogRelationship: Hashable, Sendable {
    /// The cardinality of a relationship.
    enum Kind: String, Sendable, Codable {
        case toOne
        case list
        case set
    }

    /// The table of the owners.
    var table: String
    var name: String
    var kind: Kind
    /// The columns of the owners with the key; empty for to-many.
    var columns: [String]
    /// The table of the links of a to-many relationship.
    var links: String?
    /// The table of the related values.
    var target: String
    /// The delete rule.
    var rule: DeleteRule
}
