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

struct Appearance: EmbeddedValue, Equatable {
    var issue: String
    var year: Int
    var month: Int?

    static let schema = EmbeddedSchema<Appearance>(fields: [
        .field(\.issue, "issue"),
        .field(\.year, "year"),
        .field(\.month, "month"),
    ])

    init(issue: String, year: Int, month: Int? = nil) {
        self.issue = issue
        self.year = year
        self.month = month
    }

    init(row: inout RowReader) throws {
        issue = try row.read()
        year = try row.read()
        month = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(issue)
        try row.write(year)
        try row.write(month)
    }
}

/// No storable value and no raw value: kept as JSON.
struct Costume: Codable, Equatable {
    var colours: [String]
    var isArmoured: Bool
}

/// Every way in which a field can be kept.
struct Character: Stored, Equatable {
    var identifier: Int
    var name: String
    var nickname: String?
    var power: Int?
    var height = 1.8
    var isAlive = true
    var isSecret: Bool?
    var born = Date(timeIntervalSince1970: 0)
    var alignment = Alignment.good
    var former: Alignment?
    var universe = Universe.prime
    var origin: Universe?
    var aliases: [String] = []
    var teams: [Int]?
    var appearance: Appearance?
    var debut = Appearance(issue: "Unknown", year: 1963)
    var costume = Costume(colours: [], isArmoured: false)
    var token: UUID?
    /// Not stored.
    var shout: String { name.uppercased() }

    static let schema = Schema<Character>(
        name: "Character",
        fields: [
            .field(\.identifier, "identifier", primaryKey: .given),
            .field(\.name, "name", index: .plain),
            .field(\.nickname, "nickname"),
            .field(\.power, "power"),
            .field(\.height, "height"),
            .field(\.isAlive, "isAlive"),
            .field(\.isSecret, "isSecret"),
            .field(\.born, "born"),
            .field(\.alignment, "alignment"),
            .field(\.former, "former"),
            .field(\.universe, "universe"),
            .field(\.origin, "origin"),
            .field(\.aliases, "aliases"),
            .field(\.teams, "teams"),
            .field(\.appearance, "appearance"),
            .field(\.debut, "debut"),
            .field(\.costume, "costume"),
            .field(\.token, "token"),
        ]
    )

    var primaryKey: Int { identifier }

    init(identifier: Int, name: String) {
        self.identifier = identifier
        self.name = name
    }

    init(row: inout RowReader) throws {
        identifier = try row.read()
        name = try row.read()
        nickname = try row.read()
        power = try row.read()
        height = try row.read()
        isAlive = try row.read()
        isSecret = try row.read()
        born = try row.read()
        alignment = try row.read()
        former = try row.read()
        universe = try row.read()
        origin = try row.read()
        aliases = try row.read()
        teams = try row.read()
        appearance = try row.read()
        debut = try row.read()
        costume = try row.read()
        token = try row.read()
    }

    func write(to row: inout RowWriter) throws {
        try row.write(identifier)
        try row.write(name)
        try row.write(nickname)
        try row.write(power)
        try row.write(height)
        try row.write(isAlive)
        try row.write(isSecret)
        try row.write(born)
        try row.write(alignment)
        try row.write(former)
        try row.write(universe)
        try row.write(origin)
        try row.write(aliases)
        try row.write(teams)
        try row.write(appearance)
        try row.write(debut)
        try row.write(costume)
        try row.write(token)
    }
}

extension Character {
    /// The position of a field by its stored name.
    static func column(_ name: String) -> Int {
        schema.entity.position(of: name) ?? -1
    }
}
