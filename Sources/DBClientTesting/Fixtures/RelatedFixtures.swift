import DBClientCore

/// Held by others, and holds nothing.
struct Studio: Stored, Hashable {
    let id: Int
    var name: String
    var founded: Int?

    init(_ id: Int, _ name: String, founded: Int? = nil) {
        self.id = id
        self.name = name
        self.founded = founded
    }

    static let schema = Schema<Studio>(
        name: "Studio",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.founded, "founded"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        founded = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(founded)
    }
}

/// Held in lists and sets, by a text.
struct Skill: Stored, Hashable {
    let code: String
    var level: Int
    /// A computed property, which is not stored.
    var doubled: Int { level * 2 }

    init(_ code: String, _ level: Int = 0) {
        self.code = code
        self.level = level
    }

    static let schema = Schema<Skill>(
        name: "Skill",
        fields: [
            .field(\.code, "code", primaryKey: .given),
            .field(\.level, "level", index: .plain),
        ]
    )
    var primaryKey: String { code }

    init(row: inout RowReader) throws {
        code = try row.read()
        level = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(code)
        try row.write(level)
    }
}

/// Holds others in every way there is.
struct Artist: Stored, Equatable {
    var skills: [Skill]
    let id: Int
    var name: String
    var studio: Studio?
    var former: Studio?
    var debut: Issue?
    var tags: Set<Skill>
    var mentor: Reference<Artist>?
    var rival: Reference<Artist>?
    var favourite: Reference<Issue>?
    var friends: References<Artist>

    init(
        _ id: Int,
        _ name: String = "",
        studio: Studio? = nil,
        former: Studio? = nil,
        debut: Issue? = nil,
        skills: [Skill] = [],
        tags: Set<Skill> = [],
        mentor: Int? = nil,
        rival: Int? = nil,
        favourite: Issue.PrimaryKey? = nil,
        friends: [Int] = []
    ) {
        self.id = id
        self.name = name
        self.studio = studio
        self.former = former
        self.debut = debut
        self.skills = skills
        self.tags = tags
        self.mentor = mentor.map { Reference($0) }
        self.rival = rival.map { Reference($0) }
        self.favourite = favourite.map { Reference($0) }
        self.friends = References(friends)
    }

    static let schema = Schema<Artist>(
        name: "Artist",
        fields: [
            .field(\.skills, "skills"),
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name"),
            .field(\.studio, "studio"),
            .field(\.former, "former"),
            .field(\.debut, "debut"),
            .field(\.tags, "tags"),
            .field(\.mentor, "mentor"),
            .field(\.rival, "rival", onDelete: .weak),
            .field(\.favourite, "favourite"),
            .field(\.friends, "friends"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        skills = try row.read()
        id = try row.read()
        name = try row.read()
        studio = try row.read()
        former = try row.read()
        debut = try row.read()
        tags = try row.read()
        mentor = try row.read()
        rival = try row.read()
        favourite = try row.read()
        friends = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(skills)
        try row.write(id)
        try row.write(name)
        try row.write(studio)
        try row.write(former)
        try row.write(debut)
        try row.write(tags)
        try row.write(mentor)
        try row.write(rival)
        try row.write(favourite)
        try row.write(friends)
    }
}
