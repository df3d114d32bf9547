import DBClientCore

/// Holds a value that may refer to one of its own kind.
@Stored struct Sailor: Equatable {
    let id: Int
    var ship: Ship?

    init(_ id: Int, _ ship: Ship? = nil) {
        self.id = id
        self.ship = ship
    }
}

/// Refers to one that may hold it.
@Stored struct Ship: Equatable {
    let id: Int
    var captain: Reference<Sailor>?

    init(_ id: Int, captain: Int? = nil) {
        self.id = id
        self.captain = captain.map { Reference($0) }
    }
}
