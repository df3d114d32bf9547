import DBClientCore

/// Joins an artist and a studio: its key is two references.
struct Membership: Stored, Hashable {
    let artist: Reference<Artist>
    let studio: Reference<Studio>
    var role: String

    init(_ artist: Int, _ studio: Int, _ role: String = "") {
        self.artist = Reference(artist)
        self.studio = Reference(studio)
        self.role = role
    }

    struct PrimaryKey: PrimaryKeyValue {
        let artist: Reference<Artist>
        let studio: Reference<Studio>

        init(artist: Reference<Artist>, studio: Reference<Studio>) {
            self.artist = artist
            self.studio = studio
        }

        static var columnCount: Int { 2 }
        static var fields: [SchemaField<Self>] {
            [.field(\.artist, "artist"), .field(\.studio, "studio")]
        }

        init(row: inout RowReader) throws {
            artist = try row.read()
            studio = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(artist)
            try row.write(studio)
        }
    }

    static let schema = Schema<Membership>(
        name: "Membership",
        fields: [
            .field(\.artist, "artist", primaryKey: .given, onDelete: .cascade),
            .field(\.studio, "studio", primaryKey: .given),
            .field(\.role, "role"),
        ]
    )
    var primaryKey: PrimaryKey { PrimaryKey(artist: artist, studio: studio) }

    init(row: inout RowReader) throws {
        artist = try row.read()
        studio = try row.read()
        role = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(artist)
        try row.write(studio)
        try row.write(role)
    }
}

/// There once at most for each studio, whose key is its own.
struct Imprint: Stored, Equatable {
    let studio: Reference<Studio>
    var motto: String

    init(_ studio: Int, _ motto: String = "") {
        self.studio = Reference(studio)
        self.motto = motto
    }

    static let schema = Schema<Imprint>(
        name: "Imprint",
        fields: [
            .field(\.studio, "studio", primaryKey: .given, onDelete: .cascade),
            .field(\.motto, "motto"),
        ]
    )
    var primaryKey: Reference<Studio> { studio }

    init(row: inout RowReader) throws {
        studio = try row.read()
        motto = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(studio)
        try row.write(motto)
    }
}

/// Joins an issue, whose key has several fields, and a membership, whose key is of references.
struct Credit: Stored, Equatable {
    let number: Int
    let issue: Reference<Issue>
    let member: Reference<Membership>
    var imprint: Imprint?
    var contract: Contract?

    init(
        _ number: Int,
        _ issue: Issue.PrimaryKey,
        _ member: Membership.PrimaryKey,
        imprint: Imprint? = nil,
        contract: Contract? = nil
    ) {
        self.number = number
        self.issue = Reference(issue)
        self.member = Reference(member)
        self.imprint = imprint
        self.contract = contract
    }

    struct PrimaryKey: PrimaryKeyValue {
        let issue: Reference<Issue>
        let member: Reference<Membership>
        let number: Int

        init(issue: Reference<Issue>, member: Reference<Membership>, number: Int) {
            self.issue = issue
            self.member = member
            self.number = number
        }

        static var columnCount: Int {
            KeyParts.count(of: Reference<Issue>.self)
                + KeyParts.count(of: Reference<Membership>.self) + 1
        }
        static var fields: [SchemaField<Self>] {
            [.field(\.issue, "issue"), .field(\.member, "member"), .field(\.number, "number")]
        }

        init(row: inout RowReader) throws {
            issue = try row.read()
            member = try row.read()
            number = try row.read()
        }

        func write(to row: inout RowWriter) throws {
            try row.write(issue)
            try row.write(member)
            try row.write(number)
        }
    }

    static let schema = Schema<Credit>(
        name: "Credit",
        fields: [
            .field(\.issue, "issue", primaryKey: .given, onDelete: .cascade),
            .field(\.member, "member", primaryKey: .given, onDelete: .cascade),
            .field(\.number, "number", primaryKey: .given),
            .field(\.imprint, "imprint"),
            .field(\.contract, "contract"),
        ]
    )
    var primaryKey: PrimaryKey { PrimaryKey(issue: issue, member: member, number: number) }

    init(row: inout RowReader) throws {
        issue = try row.read()
        member = try row.read()
        number = try row.read()
        imprint = try row.read()
        contract = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(issue)
        try row.write(member)
        try row.write(number)
        try row.write(imprint)
        try row.write(contract)
    }
}
