import DBClientCore
import Foundation

/// Kept as its raw value because it is declared storable.
enum Alignment: String, StorableValue, Codable, CaseIterable {
    case good
    case bad
    case neutral
}

/// Kept as its raw value although it is not declared storable.
enum Universe: Int, Codable, CaseIterable {
    case prime = 616
    case ultimate = 1610
}

@Embedded struct Appearance: Equatable {
    var issue: String
    var year: Int
    var month: Int?

    init(issue: String, year: Int, month: Int? = nil) {
        self.issue = issue
        self.year = year
        self.month = month
    }
}

/// No storable value and no raw value: kept as JSON.
struct Costume: Codable, Equatable {
    var colours: [String]
    var isArmoured: Bool
}

/// Every way in which a field can be kept.
@Stored struct Character: Equatable {
    @PrimaryKey var identifier: Int
    @Indexed var name: String
    var nickname: String?
    var power: Int?
    var height: Double
    var isAlive: Bool
    var isSecret: Bool?
    var born: Date
    var alignment: Alignment
    var former: Alignment?
    var universe: Universe
    var origin: Universe?
    var aliases: [String]
    var teams: [Int]?
    var appearance: Appearance?
    var debut: Appearance
    var costume: Costume
    var token: UUID?
    /// Not stored.
    var shout: String { name.uppercased() }

    init(identifier: Int, name: String) {
        self.identifier = identifier
        self.name = name
        self.height = 1.8
        self.isAlive = true
        self.born = Date(timeIntervalSince1970: 0)
        self.alignment = .good
        self.universe = .prime
        self.aliases = []
        self.debut = Appearance(issue: "Unknown", year: 1963)
        self.costume = Costume(colours: [], isArmoured: false)
    }
}

extension Character {
    /// The position of a field by its stored name.
    static func column(_ name: String) -> Int {
        schema.entity.position(of: name) ?? -1
    }
}
