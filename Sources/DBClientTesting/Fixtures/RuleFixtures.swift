import DBClientCore

/// Requires what it holds, which can then not be deleted.
@Stored struct Contract: Equatable {
    let id: Int
    var studio: Studio
    @Relationship(onDelete: .cascade) var holder: Reference<Artist>?

    init(_ id: Int, _ studio: Studio, holder: Int? = nil) {
        self.id = id
        self.studio = studio
        self.holder = holder.map { Reference($0) }
    }
}

/// Goes with each of the skills that it shows.
@Stored struct Exhibit: Equatable {
    @PrimaryKey let number: Int
    @Relationship(onDelete: .cascade) var shown: [Skill]
    @Relationship(onDelete: .deny) var guarded: Set<Skill>
    @Relationship(onDelete: .weak) var lent: References<Exhibit>

    init(_ number: Int, shown: [Skill] = [], guarded: Set<Skill> = [], lent: [Int] = []) {
        self.number = number
        self.shown = shown
        self.guarded = guarded
        self.lent = References(lent)
    }
}

/// A model that holds values of its own type.
@Stored struct Branch: Equatable {
    let id: Int
    var name: String
    var branches: [Branch]

    init(_ id: Int, _ name: String = "", _ branches: [Branch] = []) {
        self.id = id
        self.name = name
        self.branches = branches
    }
}

/// Keyed by the store, and holds what is keyed by the store.
@Stored struct Folder: Equatable {
    @PrimaryKey(.generated) var id: Int
    var cover: Note?
    var notes: [Note]

    init(_ id: Int = 0, cover: Note? = nil, notes: [Note] = []) {
        self.id = id
        self.cover = cover
        self.notes = notes
    }
}

/// A model whose primary key the store generates.
@Stored struct Note: Equatable {
    @PrimaryKey(.generated) var id: Int
    var text: String

    init(_ id: Int = 0, _ text: String) {
        self.id = id
        self.text = text
    }
}
