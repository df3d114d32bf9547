/// Which rows the values of an entity are made of, and what changed ones say of them.
struct ContentRoles: Sendable {
    /// Rows of which a value is made: its own, or the links of one of its lists.
    struct Role: Sendable {
        /// The entity of the values that the rows are a part of.
        let owner: EntitySchema
        /// The entity that the rows are stored under: that of the value, or of its links.
        let rows: EntitySchema
        /// The columns of the rows that have the value's primary key.
        let key: [Int]
    }

    /// The roles of each entity by its name.
    private let roles: [EntityName: [Role]]

    /// Follows what values hold, to any depth.
    init(_ root: EntitySchema) {
        var roles: [EntityName: [Role]] = [:]
        var seen: Set<EntitySchema> = [root]
        var left = [root]
        while let owner = left.popLast() {
            roles[owner.exactName, default: []].append(
                Role(owner: owner, rows: owner, key: owner.primaryKey)
            )
            for relationship in owner.relationships {
                if let link = relationship.link {
                    roles[link.entity.exactName, default: []].append(
                        Role(owner: owner, rows: link.entity, key: link.owner)
                    )
                }
                guard !relationship.isByReference, let target = relationship.target,
                    seen.insert(target).inserted
                else { continue }
                left.append(target)
            }
        }
        self.roles = roles
    }

    subscript(name: EntityName) -> [Role] { roles[name] ?? [] }
}
