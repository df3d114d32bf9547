import DBClientCore

/// Requires another of its kind.
struct Partner: Stored, Equatable {
    let id: Int
    var partner: Reference<Partner>

    init(_ id: Int, partner: Int) {
        self.id = id
        self.partner = Reference(partner)
    }

    static let schema = Schema<Partner>(
        name: "Partner",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.partner, "partner"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        partner = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(partner)
    }
}

/// Holds values that require another of its kind.
struct Crate: Stored, Equatable {
    let id: Int
    var boxes: [Box]

    init(_ id: Int, _ boxes: [Box] = []) {
        self.id = id
        self.boxes = boxes
    }

    static let schema = Schema<Crate>(
        name: "Crate",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.boxes, "boxes"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        boxes = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(boxes)
    }
}

/// Requires a value that may hold others of its kind, and may hold a second one.
struct Box: Stored, Equatable {
    let id: Int
    var content: Crate
    var spare: Crate?

    init(_ id: Int, _ content: Crate, spare: Crate? = nil) {
        self.id = id
        self.content = content
        self.spare = spare
    }

    static let schema = Schema<Box>(
        name: "Box",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.content, "content"),
            .field(\.spare, "spare"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        content = try row.read()
        spare = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(content)
        try row.write(spare)
    }
}

/// Holds values with real and with optional numbers.
struct League: Stored, Equatable {
    let id: Int
    var heroes: [Hero]
    var studios: [Studio]

    init(_ id: Int, heroes: [Hero] = [], studios: [Studio] = []) {
        self.id = id
        self.heroes = heroes
        self.studios = studios
    }

    static let schema = Schema<League>(
        name: "League",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.heroes, "heroes"),
            .field(\.studios, "studios"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        heroes = try row.read()
        studios = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(heroes)
        try row.write(studios)
    }
}

/// Holds one hero, if any.
struct Sponsor: Stored, Equatable {
    let id: Int
    var hero: Hero?

    init(_ id: Int, hero: Hero? = nil) {
        self.id = id
        self.hero = hero
    }

    static let schema = Schema<Sponsor>(
        name: "Sponsor",
        fields: [
            .field(\.id, "id", primaryKey: .given), .field(\.hero, "hero"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        hero = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(hero)
    }
}
