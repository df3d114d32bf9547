import DBClientCore

/// Holds a struct of columns, and perhaps another.
@Stored struct Lodger: Equatable {
    let id: Int
    var home: Room
    var former: Room?

    /// A struct whose columns do not fit every row of `LodgerRow`.
    @Embedded struct Room: Equatable {
        var mood: Mood
        var level: Level?

        init(_ mood: Mood, _ level: Level? = nil) {
            self.mood = mood
            self.level = level
        }
    }

    init(_ id: Int, _ home: Room = Room(.calm), former: Room? = nil) {
        self.id = id
        self.home = home
        self.former = former
    }
}

/// The same entity as `Lodger`, column by column.
@Stored("Lodger") struct LodgerRow {
    let id: Int
    @StoredName("home_mood") var mood: String
    @StoredName("home_level") var level: Int?
    var former: Bool?
    @StoredName("former_mood") var formerMood: String?
    @StoredName("former_level") var formerLevel: Int?

    init(_ id: Int) {
        self.id = id
        mood = "calm"
    }
}
