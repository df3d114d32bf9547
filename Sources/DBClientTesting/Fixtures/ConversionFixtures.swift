import DBClientCore

/// The model that players are converted to.
@Stored struct Contestant: Equatable {
    let id: Int
    var title: String

    init(_ id: Int, title: String) {
        self.id = id
        self.title = title
    }
}

/// Has a key that the store makes.
@Stored("Note") struct Note1: Equatable {
    @PrimaryKey(.generated) let id: Int
    var title: String

    init(id: Int = 0, title: String) {
        self.id = id
        self.title = title
    }
}

/// Is pinned or not in addition.
@Stored("Note") struct Note2: Equatable {
    @PrimaryKey(.generated) let id: Int
    var title: String
    var isPinned: Bool

    init(id: Int = 0, title: String, isPinned: Bool = false) {
        self.id = id
        self.title = title
        self.isPinned = isPinned
    }
}

/// Holds others by one value and by a list.
@Stored("Band") struct Band1: Equatable {
    let id: Int
    var name: String
    var label: Studio?
    var skills: [Skill]

    init(_ id: Int, name: String, label: Studio? = nil, skills: [Skill] = []) {
        self.id = id
        self.name = name
        self.label = label
        self.skills = skills
    }
}

/// Has a rank instead of a name, and holds the same.
@Stored("Band") struct Band2: Equatable {
    let id: Int
    var rank: Int
    var label: Studio?
    var skills: [Skill]

    init(_ id: Int, rank: Int, label: Studio? = nil, skills: [Skill] = []) {
        self.id = id
        self.rank = rank
        self.label = label
        self.skills = skills
    }
}

/// The entity of `EveryType` with nothing but its key.
@Stored("EveryType") struct Bare: Equatable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }
}

/// The entity of `Loose<Fitting>`, whose other field may be absent.
@Stored("Loose") struct Relaxed: Equatable {
    let id: Int
    var other: Int?

    init(_ id: Int, other: Int?) {
        self.id = id
        self.other = other
    }
}

/// The entity of `Fitting` with another name for its key, which the store makes.
enum Numbered: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "number", primaryKey: .generated), .field(\.other, "other")]
    }
}
