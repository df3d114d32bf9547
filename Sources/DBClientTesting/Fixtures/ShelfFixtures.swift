import DBClientCore

/// Keeps what it holds under the name `Shelf_of_skills`.
struct Shelf: Stored, Equatable {
    let id: Int
    var skills: [Skill]

    init(_ id: Int, _ skills: [Skill] = []) {
        self.id = id
        self.skills = skills
    }

    static let schema = Schema<Shelf>(
        name: "Shelf",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.skills, "of_skills")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        skills = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(skills)
    }
}

/// Would keep what it holds under the name `Shelf_of_skills`, too.
struct ShelfOf: Stored, Equatable {
    let id: Int
    var skills: [Skill]

    init(_ id: Int, _ skills: [Skill] = []) {
        self.id = id
        self.skills = skills
    }

    static let schema = Schema<ShelfOf>(
        name: "Shelf_of",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.skills, "skills")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        skills = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(skills)
    }
}

/// Would keep what it holds under the name `SHELF_OF_SKILLS`.
struct CapitalShelf: Stored, Equatable {
    let id: Int
    var skills: [Skill]

    init(_ id: Int, _ skills: [Skill] = []) {
        self.id = id
        self.skills = skills
    }

    static let schema = Schema<CapitalShelf>(
        name: "SHELF",
        fields: [.field(\.id, "id", primaryKey: .given), .field(\.skills, "OF_SKILLS")]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        skills = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(skills)
    }
}

/// Has the name and the fields of what `Shelf` keeps.
struct ShelfLink: Stored, Equatable {
    let owner: Int
    let position: Int
    var target: String

    init(_ owner: Int, _ position: Int, _ target: String) {
        self.owner = owner
        self.position = position
        self.target = target
    }

    /// The key: the owner, then the position.
    struct PrimaryKey: PrimaryKeyValue {
        let owner: Int
        let position: Int

        static var columnCount: Int { 2 }

        init(_ owner: Int, _ position: Int) {
            self.owner = owner
            self.position = position
        }

        init(row: inout RowReader) throws {
            owner = try row.read()
            position = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(owner)
            try row.write(position)
        }
    }

    static let schema = Schema<ShelfLink>(
        name: "Shelf_of_skills",
        fields: [
            .field(\.owner, "owner", primaryKey: .given),
            .field(\.position, "position", primaryKey: .given),
            .field(\.target, "target"),
        ]
    )
    var primaryKey: PrimaryKey { PrimaryKey(owner, position) }

    init(row: inout RowReader) throws {
        owner = try row.read()
        position = try row.read()
        target = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(owner)
        try row.write(position)
        try row.write(target)
    }
}
