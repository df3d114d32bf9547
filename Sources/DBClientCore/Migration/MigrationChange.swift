/// The changes that a migration makes to an entity, or would make.
public struct MigrationChange: Hashable, Sendable {
    /// A kind of change.
    ///
    /// Open for growth: switch over it with a default.
    public enum Kind: Hashable, Sendable {
        /// Fields are added, by their stored names.
        case added([String])
        /// Fields may be absent from now on.
        case relaxed([String])
        /// Fields are taken away with their values.
        case removed([String])
        /// Indexes are built, each over fields by their stored names.
        case indexed([[String]])
        /// Relationships, by their names, have another rule of deletion from now on, or hold something else.
        case ruled([String])
        /// Stored views are built from the values, by their stored names.
        case viewed([String])
        /// Every value is converted from what is stored under a name, of which there are so many.
        case converted(from: String, count: Int)
        /// Everything that is stored of the entity is deleted.
        case deleted
        /// A named step runs, for the first and only time.
        case performed
    }

    /// The stored name of the entity; of a step that runs once, its own.
    public let entity: String
    /// The kinds of change that the step makes to the entity.
    public let kinds: [Kind]

    init(_ entity: String, _ kinds: [Kind]) {
        self.entity = entity
        self.kinds = kinds
    }
}

extension MigrationChange: CustomStringConvertible {
    /// The change in words, without a stored value.
    public var description: String {
        "\(entity): " + kinds.map(\.words).joined(separator: ", ")
    }
}

extension MigrationChange.Kind {
    fileprivate var words: String {
        switch self {
        case .added(let names): "add " + names.joined(separator: ", ")
        case .relaxed(let names): "let \(names.joined(separator: ", ")) be absent"
        case .removed(let names): "remove " + names.joined(separator: ", ")
        case .indexed(let indexes):
            "index " + indexes.map { $0.joined(separator: " and ") }.joined(separator: ", ")
        case .ruled(let names): "change what deletion does to " + names.joined(separator: ", ")
        case .viewed(let names): "build " + names.joined(separator: ", ")
        case .converted(let name, let count): "convert \(count) from \(name)"
        case .deleted: "delete all"
        case .performed: "perform"
        }
    }
}

/// The progress of a migration, reported while it runs.
public struct MigrationProgress: Sendable {
    /// The change that is under way, or was just made.
    public let change: MigrationChange
    /// The part of the change that is done, from 0 to 1.
    public let fraction: Double
    /// The place of the step among the steps, from 0.
    public let index: Int
    /// The number of steps of the migration.
    public let count: Int
}

/// The way to continue after a migration that cannot be made.
public enum MigrationFailurePolicy: Sendable {
    /// Everything is left as it was, and the error is thrown.
    case undo
    /// What is stored of the entities of a step that cannot be made is deleted, and the migration continues:
    /// for a store that can be filled again, such as a cache.
    ///
    /// So it is where the stored values do not fit and where a step's own closure throws. What has nothing to do
    /// with the values, such as a full disk or a lost connection, is thrown.
    case deleteStored
}
