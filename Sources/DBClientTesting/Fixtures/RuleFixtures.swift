import DBClientCore

/// Requires what it holds, which can then not be deleted.
struct Contract: Stored, Equatable {
    let id: Int
    var studio: Studio
    var holder: Reference<Artist>?

    init(_ id: Int, _ studio: Studio, holder: Int? = nil) {
        self.id = id
        self.studio = studio
        self.holder = holder.map { Reference($0) }
    }

    static let schema = Schema<Contract>(
        name: "Contract",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.studio, "studio"),
            .field(\.holder, "holder", onDelete: .cascade),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        studio = try row.read()
        holder = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(studio)
        try row.write(holder)
    }
}

/// Goes with each of the skills that it shows.
struct Exhibit: Stored, Equatable {
    let number: Int
    var shown: [Skill]
    var guarded: Set<Skill>
    var lent: References<Exhibit>

    init(_ number: Int, shown: [Skill] = [], guarded: Set<Skill> = [], lent: [Int] = []) {
        self.number = number
        self.shown = shown
        self.guarded = guarded
        self.lent = References(lent)
    }

    static let schema = Schema<Exhibit>(
        name: "Exhibit",
        fields: [
            .field(\.number, "number", primaryKey: .given),
            .field(\.shown, "shown", onDelete: .cascade),
            .field(\.guarded, "guarded", onDelete: .deny),
            .field(\.lent, "lent", onDelete: .weak),
        ]
    )
    var primaryKey: Int { number }

    init(row: inout RowReader) throws {
        number = try row.read()
        shown = try row.read()
        guarded = try row.read()
        lent = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(number)
        try row.write(shown)
        try row.write(guarded)
        try row.write(lent)
    }
}

/// A model that holds values of its own type.
struct Branch: Stored, Equatable {
    let id: Int
    var name: String
    var branches: [Branch]

    init(_ id: Int, _ name: String = "", _ branches: [Branch] = []) {
        self.id = id
        self.name = name
        self.branches = branches
    }

    static let schema = Schema<Branch>(
        name: "Branch",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name"),
            .field(\.branches, "branches"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        branches = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(branches)
    }
}

/// Keyed by the store, and holds what is keyed by the store.
struct Folder: Stored, Equatable {
    var id: Int
    var cover: Note?
    var notes: [Note]

    init(_ id: Int = 0, cover: Note? = nil, notes: [Note] = []) {
        self.id = id
        self.cover = cover
        self.notes = notes
    }

    static let schema = Schema<Folder>(
        name: "Folder",
        fields: [
            .field(\.id, "id", primaryKey: .generated),
            .field(\.cover, "cover"),
            .field(\.notes, "notes"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        cover = try row.read()
        notes = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(cover)
        try row.write(notes)
    }
}

/// A model whose primary key the store generates.
struct Note: Stored, Equatable {
    var id: Int
    var text: String

    init(_ id: Int = 0, _ text: String) {
        self.id = id
        self.text = text
    }

    static let schema = Schema<Note>(
        name: "Note",
        fields: [
            .field(\.id, "id", primaryKey: .generated),
            .field(\.text, "text"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        text = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(text)
    }
}
