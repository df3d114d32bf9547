import DBClientCore

/// Held by others, and holds nothing.
@Stored struct Studio: Hashable {
    let id: Int
    @Indexed var name: String
    var founded: Int?

    init(_ id: Int, _ name: String, founded: Int? = nil) {
        self.id = id
        self.name = name
        self.founded = founded
    }
}

/// Held in lists and sets, by a text.
@Stored struct Skill: Hashable {
    @PrimaryKey let code: String
    @Indexed var level: Int
    /// A computed property, which is not stored.
    var doubled: Int { level * 2 }

    init(_ code: String, _ level: Int = 0) {
        self.code = code
        self.level = level
    }
}

/// Holds others in every way there is.
@Stored struct Artist: Equatable {
    var skills: [Skill]
    let id: Int
    var name: String
    var studio: Studio?
    var former: Studio?
    var debut: Issue?
    var tags: Set<Skill>
    var mentor: Reference<Artist>?
    @Relationship(onDelete: .weak) var rival: Reference<Artist>?
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
}
