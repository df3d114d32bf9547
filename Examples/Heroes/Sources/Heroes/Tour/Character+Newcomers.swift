extension Character {
    /// Two characters that the file does not have.
    static let newcomers = [
        Character(
            identifier: 9001,
            name: "Ironheart",
            realName: "Riri Williams",
            publisher: 1,
            aliases: [],
            alignment: .hero,
            firstAppearance: Appearance(title: "Invincible Iron Man", issue: 7, year: 2016),
            isActive: true,
            teams: ["Champions"]
        ),
        Character(
            identifier: 9002,
            name: "Moon Girl",
            realName: "Lunella Lafayette",
            publisher: 1,
            aliases: [],
            alignment: .hero,
            firstAppearance: Appearance(
                title: "Moon Girl and Devil Dinosaur",
                issue: 1,
                year: 2015
            ),
            isActive: true,
            teams: []
        ),
    ]
}
