/// Another value by its primary key alone, loaded when it is asked for.
///
/// ```swift
/// @Stored struct Character {
///     let id: Int
///     var mentor: Reference<Character>?
/// }
///
/// let mentor = try await client.load(hero.mentor)
/// ```
///
/// Where a property of type `Character` would be loaded with its owner, a reference never is, so
/// values may refer to each other in circles. Two references are equal when their keys are.
public struct Reference<Model: Stored>: Hashable, Sendable {
    /// The primary key of the value.
    public let key: Model.PrimaryKey

    /// A reference to the value with a primary key.
    @inlinable
    public init(_ key: Model.PrimaryKey) {
        self.key = key
    }

    /// Creates a reference to a value, from its primary key.
    @inlinable
    public init(to model: Model) {
        key = model.primaryKey
    }
}

/// A reference is encoded and decoded as its primary key alone.
extension Reference: Codable where Model.PrimaryKey: Codable {
    /// Creates a reference from an encoded primary key.
    public init(from decoder: any Decoder) throws {
        key = try decoder.singleValueContainer().decode(Model.PrimaryKey.self)
    }

    /// Encodes the primary key of the reference, and nothing else.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key)
    }
}

/// Other values by their primary keys alone, in order, loaded when they are asked for.
///
/// ```swift
/// @Stored struct Team {
///     let id: Int
///     var members: References<Character>
/// }
///
/// let members = try await client.load(team.members)
/// ```
public struct References<Model: Stored>: Hashable, Sendable {
    /// The primary keys of the values; one may occur several times.
    public var keys: [Model.PrimaryKey]

    /// References to the values with these primary keys.
    @inlinable
    public init(_ keys: [Model.PrimaryKey] = []) {
        self.keys = keys
    }

    /// Creates references to values, in their order, from their primary keys.
    public init(to models: some Sequence<Model>) {
        keys = models.map(\.primaryKey)
    }
}

/// Encoded as a list of the primary keys, in order.
extension References: Codable where Model.PrimaryKey: Codable {
    /// Creates references from an encoded list of primary keys.
    public init(from decoder: any Decoder) throws {
        keys = try decoder.singleValueContainer().decode([Model.PrimaryKey].self)
    }

    /// Encodes the references as a list of their primary keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(keys)
    }
}

extension References: ExpressibleByArrayLiteral {
    /// References to the values with these primary keys.
    public init(arrayLiteral keys: Model.PrimaryKey...) {
        self.keys = keys
    }
}
