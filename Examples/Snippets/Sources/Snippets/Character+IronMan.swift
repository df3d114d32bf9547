extension Character {
    /// Iron Man.
    static let ironMan = Character(
        identifier: 1455,
        name: "Iron Man",
        realName: "Anthony Edward Stark",
        publisher: 1,
        aliases: ["Shellhead"],
        alignment: .hero,
        firstAppearance: Appearance(title: "Tales of Suspense", year: 1963)
    )
}
