/// The related entities of an entity, as far as they were asked for or set.
struct HeldEntities {
    /// The entities of to-one relationships, by the relationship's position.
    ///
    /// One that has a key is what the columns say as long as they name its key.
    var ones: [Int: ManagedEntity] = [:]
    /// The elements of to-many relationships, by the relationship's position.
    var lists: [Int: HeldList] = [:]

    /// Forgets every entity that was asked for or set.
    mutating func removeAll() {
        if !ones.isEmpty { ones = [:] }
        if !lists.isEmpty { lists = [:] }
    }
}

/// The elements of a to-many relationship of one entity.
struct HeldList {
    /// The keys of the elements as they are stored, in their order.
    var stored: [EntityKey] = []
    /// The elements as the transaction has changed them, which are stored when it flushes.
    var elements: [HeldElement] = []
    /// Whether the order and repetitions mean nothing.
    let isSet: Bool

    /// Whether the elements are others than the stored ones.
    var isChanged: Bool {
        let keys = elements.compactMap(\.key)
        if keys.count != elements.count { return true }
        return isSet ? Set(keys) != Set(stored) : keys != stored
    }
}

/// An element of a to-many relationship: an entity in use, or the key of one that is not.
enum HeldElement {
    case key(EntityKey)
    case entity(ManagedEntity)

    /// The key; nil when the store has yet to make it.
    var key: EntityKey? {
        switch self {
        case .key(let key): key
        case .entity(let entity): entity.key
        }
    }

    var entity: ManagedEntity? {
        guard case .entity(let entity) = self else { return nil }
        return entity
    }
}

extension EntitySchema {
    /// The stored names of the properties in the schema's order, each with what its change is noted by.
    func changedFields(columns: Set<Int>, lists: Set<Int>) -> [String] {
        var names: [String] = []
        var column = 0
        var slot = 0
        let listOfSlot = Dictionary(
            relationships.enumerated().filter { $1.link != nil }.map { ($1.slot, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        while column < fields.count || listOfSlot[slot] != nil {
            if let list = listOfSlot[slot] {
                if lists.contains(list) { names.append(relationships[list].name) }
            } else {
                if columns.contains(column) { names.append(fields[column].name) }
                column += 1
            }
            slot += 1
        }
        return names
    }
}
