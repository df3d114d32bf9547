import DBClientCore

/// One hero of the ranking.
@Stored struct Hero {
    @PrimaryKey let identifier: Int
    var name: String
    var power: Int

    /// What the table shows: the strongest first.
    static let ranking = Hero.all.sorted { [$0.power.descending, $0.name] }.limit(6)
}
