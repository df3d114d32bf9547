/// The result of a copy: the number of values written, entity by entity.
public struct CopyOutcome: Hashable, Sendable {
    /// The number of values written of one entity.
    public struct Entity: Hashable, Sendable {
        /// The stored name of the entity.
        public let name: String
        /// How many values the target did not have before.
        public internal(set) var inserted = 0
        /// How many values of the target were replaced.
        public internal(set) var updated = 0

        /// The number of values written: inserted and updated.
        public var count: Int { inserted + updated }

        init(_ name: String) {
            self.name = name
        }
    }

    /// The entities of the models that were named, in their order, and then those that their values lead to.
    public let entities: [Entity]

    /// How many values the target did not have before.
    public var inserted: Int { entities.reduce(0) { $0 + $1.inserted } }
    /// How many values of the target were replaced.
    public var updated: Int { entities.reduce(0) { $0 + $1.updated } }
    /// The number of values written of all entities.
    public var count: Int { inserted + updated }

    /// The result for the entity with a stored name; nil when it had no part in the copy.
    public subscript(name: String) -> Entity? {
        entities.first { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

extension CopyOutcome: CustomStringConvertible {
    /// The numbers of inserted and updated values, entity by entity, as text.
    public var description: String {
        entities.map { "\($0.name): \($0.inserted) inserted, \($0.updated) updated" }
            .joined(separator: "; ")
    }
}
