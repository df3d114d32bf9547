import DBClientCore
import Foundation

/// What becomes of a sale, with properties that have defaults.
@Stored struct ArchivedSale: Equatable {
    let id: Int
    var ware: Int?
    var total: Int
    var reason = "closed"
    var note: String?
    var day: Date

    init(
        _ id: Int,
        ware: Int? = nil,
        total: Int = 0,
        reason: String = "closed",
        note: String? = nil,
        day: Int = 0
    ) {
        self.id = id
        self.ware = ware
        self.total = total
        self.reason = reason
        self.note = note
        self.day = Date(timeIntervalSince1970: Double(day) * 86_400)
    }
}

/// Keyed by a user and a place, with an address that nothing else has.
@Stored struct Desk: Equatable {
    @PrimaryKey let floor: Int
    @PrimaryKey let number: String
    @Unique var phone: Int?
    var label: String

    init(_ floor: Int, _ number: String, phone: Int? = nil, label: String = "") {
        self.floor = floor
        self.number = number
        self.phone = phone
        self.label = label
    }
}

/// Holds another, and has a name that nothing else has.
@Stored struct Lodge: Equatable {
    @PrimaryKey(.generated) var id: Int
    @Unique var name: String
    var studio: Studio?
    var skills: [Skill]

    init(id: Int = 0, _ name: String, studio: Studio? = nil, skills: [Skill] = []) {
        self.id = id
        self.name = name
        self.studio = studio
        self.skills = skills
    }
}

/// Keyed by an integer that the store makes, with a title that nothing else has.
@Stored struct Badge: Equatable {
    @PrimaryKey(.generated) var id: Int
    @Unique var title: String

    init(id: Int = 0, title: String) {
        self.id = id
        self.title = title
    }
}
