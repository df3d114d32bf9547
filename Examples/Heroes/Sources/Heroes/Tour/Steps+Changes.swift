import DBClientCore

extension Steps {
    /// The steps that write.
    static let changes = [partialUpdate, upsert, refusedInsert, deletePublisher]

    private static let partialUpdate = Step("Iron Man’s real name becomes “Tony Stark”") { client in
        let before = try await client.findAll(Character.self)
        try await client.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
        let after = try await client.findAll(Character.self)

        // Nothing else may have changed, neither in Iron Man nor in any other character.
        let expected = before.map { character in
            guard character.identifier == 1455 else { return character }
            var character = character
            character.realName = "Tony Stark"
            return character
        }
        guard after == expected else { throw TourError("The update changed something else.") }
        guard let old = before.first(where: { $0.identifier == 1455 }),
            let new = after.first(where: { $0.identifier == 1455 })
        else { throw TourError("There is no Iron Man.") }
        var table = Table("field", "before", "after", "")
        for (field, before, after) in Character.fields(of: old, new) {
            table.add(field, before, after, before == after ? "" : "changed")
        }
        table.note = "The other \(after.count - 1) characters are as they were."
        return try Step.Outcome(table, evidence: after)
    }

    private static let upsert = Step("Upsert two who are there and two who are not") { client in
        var known = try await client.find(Character.self, keys: [1250, 1455])
        for index in known.indices { known[index].teams.append("Illuminati") }
        let outcome = try await client.upsert(known + Character.newcomers)
        var table = Table(">identifier", "name", "teams", "")
        for character in outcome.inserted { table.add(character, "inserted") }
        for character in outcome.updated { table.add(character, "updated") }
        return try Step.Outcome(table, evidence: [outcome.inserted, outcome.updated])
    }

    private static let refusedInsert = Step("Insert one of them again") { client in
        do {
            try await client.insert(Character.newcomers[0])
        } catch let error as DBClientError where error.code == .duplicateKey {
            var table = Table("error", "entity", "meaning")
            table.add("\(error.code)", error.entity ?? "", "refused, and nothing was written")
            return try Step.Outcome(table, evidence: [error.code.description, error.entity])
        }
        throw TourError("The second insert of a key was not refused.")
    }

    private static let deletePublisher = Step("Delete the publisher Ajax") { client in
        // One transaction: either both are gone or neither.
        let counts = try await client.write { transaction in
            guard let ajax = try transaction.fetchOne(Publisher.where { $0.name == "Ajax" }) else {
                throw TourError("There is no Ajax.")
            }
            let characters = try transaction.delete(
                Character.where { $0.publisher == ajax.identifier }
            )
            let publishers = try transaction.delete(ajax) ? 1 : 0
            return [Count(of: "its characters", characters), Count(of: "publishers", publishers)]
        }
        return try Step.Outcome(.counts(counts, title: "deleted"), evidence: counts)
    }

    /// Returns the step that counts all, and compares all, field by field.
    static func countEverything(_ title: String) -> Step {
        Step(title) { client in
            let (publishers, characters) = try await client.read { transaction in
                (try transaction.findAll(Publisher.self), try transaction.findAll(Character.self))
            }
            let counts = [
                Count(of: "publishers", try await client.count(Publisher.all)),
                Count(of: "characters", try await client.count(Character.all)),
                Count(
                    of: "still published",
                    try await client.count(Character.where { $0.isActive == true })
                ),
            ]
            return try Step.Outcome(
                .counts(counts),
                evidence: Everything(publishers, characters, counts)
            )
        }
    }
}

/// What the store holds.
private struct Everything: Encodable {
    let publishers: [Publisher]
    let characters: [Character]
    let counts: [Count]

    init(_ publishers: [Publisher], _ characters: [Character], _ counts: [Count]) {
        self.publishers = publishers
        self.characters = characters
        self.counts = counts
    }
}

extension Table {
    fileprivate mutating func add(_ character: Character, _ what: String) {
        add("\(character.identifier)", character.name, character.teams.listed, what)
    }
}
