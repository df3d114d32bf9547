import DBClientCore

/// Keeps what it holds under the name `Shelf_of_skills`.
@Stored struct Shelf: Equatable {
    let id: Int
    @StoredName("of_skills") var skills: [Skill]

    init(_ id: Int, _ skills: [Skill] = []) {
        self.id = id
        self.skills = skills
    }
}

/// Would keep what it holds under the name `Shelf_of_skills`, too.
@Stored("Shelf_of") struct ShelfOf: Equatable {
    let id: Int
    var skills: [Skill]

    init(_ id: Int, _ skills: [Skill] = []) {
        self.id = id
        self.skills = skills
    }
}

/// Would keep what it holds under the name `SHELF_OF_SKILLS`.
@Stored("SHELF") struct CapitalShelf: Equatable {
    let id: Int
    @StoredName("OF_SKILLS") var skills: [Skill]

    init(_ id: Int, _ skills: [Skill] = []) {
        self.id = id
        self.skills = skills
    }
}

/// Has the name and the fields of what `Shelf` keeps.
@Stored("Shelf_of_skills") struct ShelfLink: Equatable {
    @PrimaryKey let owner: Int
    @PrimaryKey let position: Int
    var target: String

    init(_ owner: Int, _ position: Int, _ target: String) {
        self.owner = owner
        self.position = position
        self.target = target
    }
}
