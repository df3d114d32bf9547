import DBClientCore

extension Steps {
    /// The steps with values that hold others.
    static let relationships = [saveTeams, teamsThroughRelationships]

    private static let saveTeams = Step("Save teams, their publishers and members") {
        client in
        let counts = try await client.write { transaction in
            let publishers = try transaction.findAll(Publisher.self)
            let characters = try transaction.findAll(Character.self)
            // What the teams hold is stored already and stays as it is.
            let teams = try transaction.insert(Team.teams(of: characters, publishers))
            guard try transaction.findAll(Publisher.self) == publishers,
                try transaction.findAll(Character.self) == characters
            else { throw TourError("Saving the teams changed what they hold.") }
            let members = teams.map(\.members.count).reduce(0, +)
            return [Count(of: "teams", teams.count), Count(of: "their members", members)]
        }
        return try Step.Outcome(.counts(counts, title: "saved"), evidence: counts)
    }

    private static let teamsThroughRelationships = Step(
        "Teams of Valiant and Archie, and Iron Man’s"
    ) { client in
        let teams = try await client.fetch(
            Team.where {
                $0.publisher.name.isIn(["Valiant", "Archie"])
                    || $0.members.contains { $0.name == "Iron Man" }
            }
            .sorted { [$0.publisher.name, $0.name] }
        )
        var table = Table("publisher", ">since", "team", ">members", "some of them")
        for team in teams {
            table.add(
                team.publisher.name,
                "\(team.publisher.founded)",
                team.name,
                "\(team.members.count)",
                team.members.prefix(3).map(\.name).listed
            )
        }
        return try Step.Outcome(table, evidence: teams)
    }
}
