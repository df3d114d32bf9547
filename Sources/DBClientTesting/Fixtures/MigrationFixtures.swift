import DBClientCore
import Foundation

// One entity, `Player`, in its former and its later versions.

/// The first version of a model that is migrated.
struct Player1: Stored, Equatable {
    let id: Int
    var name: String
    var nickname: String?
    var score: Int

    init(_ id: Int, name: String, nickname: String? = nil, score: Int = 0) {
        self.id = id
        self.name = name
        self.nickname = nickname
        self.score = score
    }

    static let schema = Schema<Player1>(
        name: "Player",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.nickname, "nickname"),
            .field(\.score, "score"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        nickname = try row.read()
        score = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(nickname)
        try row.write(score)
    }
}

/// Has a level, which is indexed, a motto, titles and a day of joining in addition.
struct Player2: Stored, Equatable {
    let id: Int
    var name: String
    var nickname: String?
    var score: Int
    var level: Int
    var motto: String?
    var titles: [String]
    var joined: Date

    init(
        _ id: Int,
        name: String,
        nickname: String? = nil,
        score: Int = 0,
        level: Int = 1,
        motto: String? = nil,
        titles: [String] = [],
        joined: Date = Date(timeIntervalSince1970: 0)
    ) {
        self.id = id
        self.name = name
        self.nickname = nickname
        self.score = score
        self.level = level
        self.motto = motto
        self.titles = titles
        self.joined = joined
    }

    static let schema = Schema<Player2>(
        name: "Player",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.nickname, "nickname"),
            .field(\.score, "score"),
            .field(\.level, "level", index: .plain),
            .field(\.motto, "motto", index: .unique),
            .field(\.titles, "titles"),
            .field(\.joined, "joined"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        nickname = try row.read()
        score = try row.read()
        level = try row.read()
        motto = try row.read()
        titles = try row.read()
        joined = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(nickname)
        try row.write(score)
        try row.write(level)
        try row.write(motto)
        try row.write(titles)
        try row.write(joined)
    }
}

/// Has lost nickname and score, and may have no name.
struct Player3: Stored, Equatable {
    let id: Int
    var name: String?
    var level: Int
    var motto: String?
    var titles: [String]
    var joined: Date

    init(
        _ id: Int,
        name: String?,
        level: Int = 1,
        motto: String? = nil,
        titles: [String] = [],
        joined: Date = Date(timeIntervalSince1970: 0)
    ) {
        self.id = id
        self.name = name
        self.level = level
        self.motto = motto
        self.titles = titles
        self.joined = joined
    }

    static let schema = Schema<Player3>(
        name: "Player",
        fields: [
            .field(\.id, "id", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.level, "level", index: .plain),
            .field(\.motto, "motto", index: .unique),
            .field(\.titles, "titles"),
            .field(\.joined, "joined"),
        ]
    )
    var primaryKey: Int { id }

    init(row: inout RowReader) throws {
        id = try row.read()
        name = try row.read()
        level = try row.read()
        motto = try row.read()
        titles = try row.read()
        joined = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(id)
        try row.write(name)
        try row.write(level)
        try row.write(motto)
        try row.write(titles)
        try row.write(joined)
    }
}

/// Is known by a code, and counts its points in fractions.
struct Player4: Stored, Equatable {
    let code: String
    var name: String
    var score: Double

    init(_ code: String, name: String, score: Double = 0) {
        self.code = code
        self.name = name
        self.score = score
    }

    static let schema = Schema<Player4>(
        name: "Player",
        fields: [
            .field(\.code, "code", primaryKey: .given),
            .field(\.name, "name"),
            .field(\.score, "score"),
        ]
    )
    var primaryKey: String { code }

    init(row: inout RowReader) throws {
        code = try row.read()
        name = try row.read()
        score = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(code)
        try row.write(name)
        try row.write(score)
    }
}
