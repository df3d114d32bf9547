import DBClientCore

/// Rows that hold text where `Knower` expects an enum, a number where it expects another, and JSON of
/// another shape: two models, one entity.
@Stored("Acquaintance") struct Stranger {
    let id: Int
    var mood: String
    var level: Int
    var origin: [String: String]

    init(_ id: Int, mood: String = "calm", level: Int = 0, origin: [String: String]? = nil) {
        self.id = id
        self.mood = mood
        self.level = level
        self.origin = origin ?? ["planet": "Earth"]
    }
}

/// The same entity as `Stranger`, with types that not every row of it fits.
@Stored("Acquaintance") struct Knower {
    let id: Int
    var mood: Mood
    var level: Level
    var origin: Planet

    /// A value that is stored as a JSON object with one field.
    struct Planet: Codable, Sendable {
        var planet: String
    }
}

/// The same entity as `Hero` with a field of another type.
@Stored("Hero") struct OtherHero {
    let id: Int
    var name: Int
}

/// The same entity as `Hero`, and the same fields, in a schema of its own.
struct SameHero: Stored {
    var hero: Hero

    init(_ hero: Hero) {
        self.hero = hero
    }

    static let schema = Schema<SameHero>(
        name: "Hero",
        fields: [
            .field(\.hero.id, "id", primaryKey: .given),
            .field(\.hero.name, "name", index: .plain),
            .field(\.hero.realName, "realName"),
            .field(\.hero.publisherId, "publisherId", index: .plain),
            .field(\.hero.power, "power", index: .plain),
            .field(\.hero.createdAt, "createdAt"),
            .field(\.hero.isActive, "isActive"),
            .field(\.hero.bio, "bio"),
        ],
        indexes: [StoredIndex(\.hero.publisherId, \.hero.name)]
    )
    var primaryKey: Int { hero.id }

    init(row: inout RowReader) throws {
        hero = try Hero(row: &row)
    }

    func write(to row: inout RowWriter) throws {
        try hero.write(to: &row)
    }
}
