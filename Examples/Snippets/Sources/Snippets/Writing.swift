import DBClientCore

func write(_ ironMan: Character, _ characters: [Character], to client: any DBClient) async throws {
    // snippet: writing
    try await client.insert(ironMan)  // .duplicateKey if it is there
    try await client.update(ironMan)  // .notFound if it is not
    let outcome = try await client.upsert(characters)
    print(outcome.inserted.count, outcome.updated.count)

    // Only the named fields are written.
    try await client.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
    try await client.update(Character.all) { $0.modify(\.firstAppearance.year) { $0 += 1 } }

    // Read, changed and stored in one transaction.
    try await client.modify(Character.self, key: 1455) { $0.aliases.append("Shellhead") }

    try await client.delete(ironMan)  // false if it was not there
    try await client.delete(Character.where { $0.alignment == .villain })
    // end snippet
}

/// A character on a mission, with a code name of its own.
@Stored struct Agent {
    @PrimaryKey let identifier: Int
    @Unique var codeName: String
    var missions = 0
    var isAsleep = false
}

func importing(
    _ characters: [Character],
    _ agents: [Agent],
    to client: any DBClient
) async throws {
    // snippet: importing
    // Those that are there already, by key or by what is unique, are left out.
    let new = try await client.insertIfAbsent(characters)

    // A stored character with an equal code name keeps its identifier, and gets the other fields.
    try await client.upsert(agents, by: \.codeName)

    // What a request is about, as it is after the update, or was before the delete.
    let woken = try await client.updateReturning(Agent.where { $0.isAsleep }.limit(10)) {
        $0.set(\.isAsleep, to: false)
    }
    let retired = try await client.deleteReturning(Agent.where { $0.missions > 99 })

    // Rows are copied inside the store; what is computed is computed there.
    let heroes = Character.where { $0.alignment == .hero }
    let count = try await client.insert(Agent.self, from: heroes) { agent, hero in
        agent.set(\.identifier, to: hero.identifier)
        agent.set(\.codeName, to: hero.name + " (agent)")
    }
    // end snippet
    print(new.count, woken.count, retired.count, count)
}

func read(from client: any DBClient) async throws {
    // snippet: reading
    let hero = try await client.find(Character.self, key: 1455)
    let villains = Character.where { $0.alignment == .villain }
    let first = try await client.fetchOne(villains)
    let number = try await client.count(villains)
    let earliest = try await client.min(\.firstAppearance.year, of: villains)
    // end snippet
    _ = (hero, first, number, earliest)
}
