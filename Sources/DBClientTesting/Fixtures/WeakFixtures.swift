import DBClientCore

/// Holds values weakly: they may go, and what held them stays.
@Stored struct Poster: Equatable {
    let id: Int
    @Relationship(onDelete: .weak) var studio: Studio?
    @Relationship(onDelete: .weak) var skills: [Skill]
    @Relationship(onDelete: .weak) var tags: Set<Skill>

    init(_ id: Int, studio: Studio? = nil, skills: [Skill] = [], tags: Set<Skill> = []) {
        self.id = id
        self.studio = studio
        self.skills = skills
        self.tags = tags
    }
}

/// What a store says of the relationships of its entities, as any program may read and damage it.
@Stored("dbclient_relationships") struct RelationshipDescription {
    @PrimaryKey let entity: String
    var description: [String: String]
}

/// Held by its own kind in two lists, so that there are many ways to each.
@Stored struct Knot: Equatable {
    let id: Int
    var left: [Knot]
    var right: [Knot]

    init(_ id: Int, left: [Knot] = [], right: [Knot] = []) {
        self.id = id
        self.left = left
        self.right = right
    }
}
