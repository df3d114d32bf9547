extension Table {
    /// Returns a table of the first characters of a result.
    static func characters(_ characters: [Character]) -> Table {
        var table = Table(">identifier", "name", "real name", "also known as", "teams")
        for character in characters.prefix(6) {
            table.add(
                "\(character.identifier)",
                character.name,
                character.realName ?? "–",
                character.aliases.listed,
                character.teams.listed
            )
        }
        if characters.count > 6 { table.note = "… and \(characters.count - 6) more" }
        return table
    }

    /// Returns a table of numbers.
    static func counts(_ counts: [Count], title: String = "count") -> Table {
        var table = Table(title, ">number")
        for count in counts { table.add(count.name, "\(count.number)") }
        return table
    }
}

extension [String] {
    /// The strings in one line.
    var listed: String { isEmpty ? "–" : joined(separator: ", ") }
}

extension Character {
    /// Returns the fields of two versions of a character, for a person.
    static func fields(of old: Character, _ new: Character) -> [(String, String, String)] {
        func row(_ name: String, _ value: (Character) -> String) -> (String, String, String) {
            (name, value(old), value(new))
        }
        return [
            row("name") { $0.name },
            row("realName") { $0.realName ?? "–" },
            row("publisher") { "\($0.publisher)" },
            row("aliases") { $0.aliases.listed },
            row("alignment") { $0.alignment.rawValue },
            row("firstAppearance") { "\($0.firstAppearance.title), \($0.firstAppearance.year)" },
            row("isActive") { "\($0.isActive)" },
            row("teams") { $0.teams.listed },
        ]
    }
}
