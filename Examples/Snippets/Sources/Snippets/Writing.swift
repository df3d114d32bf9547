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
