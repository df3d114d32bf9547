import DBClientCore

/// A model that requires a reference to another of its kind, which may form a circle.
@Stored struct Partner: Equatable {
    let id: Int
    var partner: Reference<Partner>

    init(_ id: Int, partner: Int) {
        self.id = id
        self.partner = Reference(partner)
    }
}

/// Holds values that require another of its kind.
@Stored struct Crate: Equatable {
    let id: Int
    var boxes: [Box]

    init(_ id: Int, _ boxes: [Box] = []) {
        self.id = id
        self.boxes = boxes
    }
}

/// Requires a value that may hold others of its kind, and may hold a second one.
@Stored struct Box: Equatable {
    let id: Int
    var content: Crate
    var spare: Crate?

    init(_ id: Int, _ content: Crate, spare: Crate? = nil) {
        self.id = id
        self.content = content
        self.spare = spare
    }
}

/// Holds values with real and with optional numbers.
@Stored struct League: Equatable {
    let id: Int
    var heroes: [Hero]
    var studios: [Studio]

    init(_ id: Int, heroes: [Hero] = [], studios: [Studio] = []) {
        self.id = id
        self.heroes = heroes
        self.studios = studios
    }
}

/// A model that holds one hero or none.
@Stored struct Sponsor: Equatable {
    let id: Int
    var hero: Hero?

    init(_ id: Int, hero: Hero? = nil) {
        self.id = id
        self.hero = hero
    }
}
