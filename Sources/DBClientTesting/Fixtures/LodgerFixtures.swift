import DBClientCore

/// Holds a struct of columns, and perhaps another.
struct Lodger: Stored, Equatable {
    let id: Int
    var home: Room
    var former: Room?

    /// A struct whose columns do not fit every row of `LodgerRow`.
    struct Room: EmbeddedValue, Equatable {
        var mood: Mood
        var level: Level?

        static let schema = EmbeddedSchema<Room>(fields: [
            .field(\.mood, "mood"),
            .field(\.level, "level"),
        ])

        init(_ mood: Mood, _ level: Level? = nil) {
            self.mood = mood
            self.level = level
        }

        init(row: inout RowReader) throws {
            mood = try row.read()
            level = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(mood)
            try row.write(level)
        }
    }

    init(_ id: Int, _ home: Room = Room(.calm), former: Room? = nil) {
        self.id = id
        self.home = home
        self.former = former
    }

    static let schema = Schema<Lodger>(
        name: "Lodger",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.home, "home"),
            .field(\.former, "former"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        home = try row.read()
        former = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(home)
        try row.write(former)
    }
}

/// The same entity as `Lodger`, column by column.
struct LodgerRow: Stored {
    let id: Int
    var mood = "calm"
    var level: Int?
    var former: Bool?
    var formerMood: String?
    var formerLevel: Int?

    init(_ id: Int) {
        self.id = id
    }

    static let schema = Schema<LodgerRow>(
        name: "Lodger",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.mood, "home_mood"),
            .field(\.level, "home_level"),
            .field(\.former, "former"),
            .field(\.formerMood, "former_mood"),
            .field(\.formerLevel, "former_level"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        mood = try row.read()
        level = try row.read()
        former = try row.read()
        formerMood = try row.read()
        formerLevel = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(mood)
        try row.write(level)
        try row.write(former)
        try row.write(formerMood)
        try row.write(formerLevel)
    }
}
