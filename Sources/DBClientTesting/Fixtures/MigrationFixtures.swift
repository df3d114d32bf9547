import DBClientCore
import Foundation

// One entity, `Player`, in its former and its later versions.

/// The first version of a model that is migrated.
@Stored("Player") struct Player1: Equatable {
    let id: Int
    @Indexed var name: String
    var nickname: String?
    var score: Int

    init(_ id: Int, name: String, nickname: String? = nil, score: Int = 0) {
        self.id = id
        self.name = name
        self.nickname = nickname
        self.score = score
    }
}

/// Has a level, which is indexed, a motto, titles and a day of joining in addition.
@Stored("Player") struct Player2: Equatable {
    let id: Int
    @Indexed var name: String
    var nickname: String?
    var score: Int
    @Indexed var level: Int
    @Unique var motto: String?
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
}

/// Has lost nickname and score, and may have no name.
@Stored("Player") struct Player3: Equatable {
    let id: Int
    @Indexed var name: String?
    @Indexed var level: Int
    @Unique var motto: String?
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
}

/// Is known by a code, and counts its points in fractions.
@Stored("Player") struct Player4: Equatable {
    @PrimaryKey let code: String
    var name: String
    var score: Double

    init(_ code: String, name: String, score: Double = 0) {
        self.code = code
        self.name = name
        self.score = score
    }
}
