import DBClientCore

/// A team of characters, with its publisher.
///
/// The store keeps the key of the publisher and a row for each member; both are values of their own.
@Stored
struct Team: Codable, Equatable {
    @PrimaryKey let name: String
    var publisher: Publisher
    var members: [Character]
}

extension Team {
    /// Returns the teams that at least three characters name, all of one publisher.
    static func teams(of characters: [Character], _ publishers: [Publisher]) -> [Team] {
        let members = characters.reduce(into: [String: [Character]]()) { members, character in
            for team in character.teams { members[team, default: []].append(character) }
        }
        return publishers.flatMap { publisher in
            members.filter { _, members in
                members.count >= 3
                    && members.allSatisfy { $0.publisher == publisher.identifier }
            }
            .map { Team(name: $0, publisher: publisher, members: $1) }
        }
    }
}
