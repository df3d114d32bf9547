import Foundation
import GRDB

/// The record that GRDB derives from `Codable`: eight fields, no code.
struct CodableCharacter: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var name: String
    var realName: String
    var publisherId: Int?
    var power: Double
    var createdAt: Date
    var isActive: Bool
    var bio: String?

    static var databaseTableName: String { "character" }

    // A number, as in every other contestant; the default is text, which takes longer.
    static func databaseDateEncodingStrategy(
        for column: String
    ) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }
    static func databaseDateDecodingStrategy(
        for column: String
    ) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }
}

extension CodableCharacter: CharacterConvertible {
    init(_ character: Character) {
        self.init(
            id: character.id,
            name: character.name,
            realName: character.realName,
            publisherId: character.publisherId,
            power: character.power,
            createdAt: character.createdAt,
            isActive: character.isActive,
            bio: character.bio
        )
    }

    var character: Character {
        Character(
            id: id,
            name: name,
            realName: realName,
            publisherId: publisherId,
            power: power,
            createdAt: createdAt,
            isActive: isActive,
            bio: bio
        )
    }
}
