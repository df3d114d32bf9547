/// What models are made of a database, and how.
public struct GeneratorOptions: Hashable, Sendable {
    /// How a foreign key becomes a property.
    public enum Relationships: String, CaseIterable, Sendable {
        /// The key alone, as a `Reference` that is loaded when it is asked for.
        case references
        /// The related value, saved and loaded with its owner; a `Reference` where values would hold each other in a
        /// circle, and in a key.
        case values
        /// The column as it is.
        case none
    }

    /// From where the models can be used.
    public enum Access: String, CaseIterable, Sendable {
        /// In their own module.
        case `internal`
        /// In their own package, with an initializer for it.
        case package
        /// Anywhere, with an initializer for it.
        case `public`
    }

    /// How a foreign key becomes a property.
    public var relationships: Relationships
    /// Whether a foreign key without an index of its own becomes a relationship all the same.
    ///
    /// The library keeps an index for each relationship, so its first write to such a table builds one.
    public var addsIndexes: Bool
    /// The names of the tables to make models of; nil for all.
    public var tables: Set<String>?
    /// From where the models can be used.
    public var access = Access.internal
    /// The columns by which the rows of a table or a view are told apart that has no key, by its name.
    public var keys: [String: [String]] = [:]
    /// The schema that the stored names begin with; nil, the default, for none.
    public var schema: String?

    /// Creates options, by default for every table, and so that no table is altered.
    public init(
        relationships: Relationships = .references,
        addsIndexes: Bool = false,
        tables: Set<String>? = nil
    ) {
        self.relationships = relationships
        self.addsIndexes = addsIndexes
        self.tables = tables
    }
}
