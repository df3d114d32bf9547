import DBClientCore

/// Holds values weakly: they may go, and what held them stays.
struct Poster: Stored, Equatable {
    let id: Int
    var studio: Studio?
    var skills: [Skill]
    var tags: Set<Skill>

    init(_ id: Int, studio: Studio? = nil, skills: [Skill] = [], tags: Set<Skill> = []) {
        self.id = id
        self.studio = studio
        self.skills = skills
        self.tags = tags
    }

    static let schema = Schema<Poster>(
        name: "Poster",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.studio, "studio", onDelete: .weak),
            .field(\.skills, "skills", onDelete: .weak),
            .field(\.tags, "tags", onDelete: .weak),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        studio = try row.read()
        skills = try row.read()
        tags = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(studio)
        try row.write(skills)
        try row.write(tags)
    }
}

/// What a store says of the relationships of its entities, as any program may read and damage it.
struct RelationshipDescription: Stored {
    let entity: String
    var description: [String: String]

    static let schema = Schema<RelationshipDescription>(
        name: "dbclient_relationships",
        fields: [
            .field(\.entity, "entity", primaryKey: .given),
            .field(\.description, "description"),
        ]
    )
    var primaryKey: String { entity }

    init(row: inout RowReader) throws {
        entity = try row.read()
        description = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(entity)
        try row.write(description)
    }
}

/// Held by its own kind in two lists, so that there are many ways to each.
struct Knot: Stored, Equatable {
    let id: Int
    var left: [Knot]
    var right: [Knot]

    init(_ id: Int, left: [Knot] = [], right: [Knot] = []) {
        self.id = id
        self.left = left
        self.right = right
    }

    static let schema = Schema<Knot>(
        name: "Knot",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.left, "left"),
            .field(\.right, "right"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        left = try row.read()
        right = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(left)
        try row.write(right)
    }
}
