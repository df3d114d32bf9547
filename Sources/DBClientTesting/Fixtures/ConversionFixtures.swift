import DBClientCore

/// Takes the place of players.
struct Contestant: Stored, Equatable {
    let id: Int
    var title: String

    init(_ id: Int, title: String) {
        self.id = id
        self.title = title
    }

    static let schema = Schema<Contestant>(
        name: "Contestant",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.title, "title"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
    }
}

/// Has a key that the store makes.
struct Note1: Stored, Equatable {
    let id: Int
    var title: String

    init(id: Int = 0, title: String) {
        self.id = id
        self.title = title
    }

    static let schema = Schema<Note1>(
        name: "Note",
        fields: [
            .field(\.id, "id", primaryKey: .generated),
            .field(\.title, "title"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
    }
}

/// Is pinned or not in addition.
struct Note2: Stored, Equatable {
    let id: Int
    var title: String
    var isPinned: Bool

    init(id: Int = 0, title: String, isPinned: Bool = false) {
        self.id = id
        self.title = title
        self.isPinned = isPinned
    }

    static let schema = Schema<Note2>(
        name: "Note",
        fields: [
            .field(\.id, "id", primaryKey: .generated),
            .field(\.title, "title"),
            .field(\.isPinned, "isPinned"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        title = try row.read()
        isPinned = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(title)
        try row.write(isPinned)
    }
}

/// Holds others by one value and by a list.
struct Band1: Stored, Equatable {
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

    static let schema = Schema<Band1>(
        name: "Band",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name"),
            .field(\.label, "label"),
            .field(\.skills, "skills"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        label = try row.read()
        skills = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(label)
        try row.write(skills)
    }
}

/// Has a rank instead of a name, and holds the same.
struct Band2: Stored, Equatable {
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

    static let schema = Schema<Band2>(
        name: "Band",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.rank, "rank"),
            .field(\.label, "label"),
            .field(\.skills, "skills"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        rank = try row.read()
        label = try row.read()
        skills = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(rank)
        try row.write(label)
        try row.write(skills)
    }
}

/// The entity of `EveryType` with nothing but its key.
struct Bare: Stored, Equatable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }

    static let schema = Schema<Bare>(
        name: "EveryType",
        fields: [
            .field(\.id, "id", primaryKey: .given)
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
    }
}

/// The entity of `Loose<Fitting>`, whose other field may be absent.
struct Relaxed: Stored, Equatable {
    let id: Int
    var other: Int?

    init(_ id: Int, other: Int?) {
        self.id = id
        self.other = other
    }

    static let schema = Schema<Relaxed>(
        name: "Loose",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.other, "other")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        other = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(other)
    }
}

/// The entity of `Fitting` with another name for its key, which the store makes.
enum Numbered: LooseShape {
    static func fields() -> [SchemaField<Loose<Self>>] {
        [.field(\.id, "number", primaryKey: .generated), .field(\.other, "other")]
    }
}
