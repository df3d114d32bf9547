import DBClientCore

extension Steps {
    /// The steps that only read.
    static let queries = [
        ironHeroes, oldestAppearances, aliasOrTeam, alignments, textSearch, pages,
    ]

    private static let ironHeroes = Step("Marvel heroes whose name starts with “Iron”") { client in
        let marvel = try await client.fetchOne(Publisher.where { $0.name == "Marvel" })
        guard let marvel else { throw TourError("There is no Marvel.") }
        let heroes = try await client.fetch(
            Character.where {
                $0.publisher == marvel.identifier && $0.alignment == .hero
                    && $0.name.hasPrefix("Iron")
            }
            .sorted { $0.name }
        )
        return try Step.Outcome(.characters(heroes), evidence: heroes)
    }

    private static let oldestAppearances = Step("Oldest first appearances") { client in
        let characters = try await client.fetch(
            Character.all.sorted { [$0.firstAppearance.year, $0.name] }.limit(6)
        )
        var table = Table("name", "first appearance", ">issue", ">year")
        for character in characters {
            let first = character.firstAppearance
            table.add(
                character.name,
                first.title,
                first.issue.map { "\($0)" } ?? "–",
                "\(first.year)"
            )
        }
        return try Step.Outcome(table, evidence: characters)
    }

    private static let aliasOrTeam = Step("Known as “Bruce Banner”, or one of the X-Men") {
        client in
        let characters = try await client.fetch(
            Character.where { $0.aliases.contains("Bruce Banner") || $0.teams.contains("X-Men") }
                .sorted { $0.name }
        )
        return try Step.Outcome(.characters(characters), evidence: characters)
    }

    private static let alignments = Step("How many there are of each alignment") { client in
        // One transaction, so that all the numbers are of the same moment.
        let counts = try await client.read { transaction in
            try transaction.distinct(\.alignment, of: Character.all).map { alignment in
                let ofAlignment = Character.where { $0.alignment == alignment }
                return Count(of: alignment.rawValue, try transaction.count(ofAlignment))
            }
        }
        return try Step.Outcome(.counts(counts), evidence: counts)
    }

    private static let textSearch = Step("Text search: “captain”") { client in
        let characters = try await client.fetch(TextSearch(text: "captain"))
        return try Step.Outcome(.characters(characters), evidence: characters)
    }

    private static let pages = Step("Page by key, 150 at a time") { client in
        let request = Character.all.limit(150)
        var page = try await client.fetch(request)
        var pages: [[Int]] = []
        var table = Table(">page", ">characters", "first", "last")
        while let first = page.first, let last = page.last {
            pages.append(page.map(\.identifier))
            table.add("\(pages.count)", "\(page.count)", first.title, last.title)
            page = try await client.fetch(request.after(last))
        }
        return try Step.Outcome(table, evidence: pages)
    }
}

extension Character {
    fileprivate var title: String { "\(identifier) \(name)" }
}
