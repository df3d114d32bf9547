import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Foundation

// snippet: from-swiftdata-part
@Stored struct Medal {
    @PrimaryKey(.generated) var id: Int = 0
    var name: String
    @Relationship(onDelete: .cascade) var fighter: Reference<Fighter>
}
// end snippet

func fromSwiftDataOpening(at url: URL) throws -> [any DBClient] {
    // snippet: from-swiftdata-open
    let client: any DBClient = try ObjectStoreDBClient(at: url)
    let ofTests: any DBClient = InMemoryDBClient()
    // end snippet
    return [client, ofTests]
}

func fromSwiftDataWriting(_ ironMan: Character, on client: any DBClient) async throws {
    // snippet: from-swiftdata-write
    try await client.insert(ironMan)
    try await client.modify(Character.self, key: 1455) { $0.realName = "Tony Stark" }
    try await client.delete(Character.where { $0.firstAppearance.year < 1940 })
    // end snippet
}

func fromSwiftDataFetching(on client: any DBClient) async throws {
    // snippet: from-swiftdata-fetch
    let early = Character.where { $0.firstAppearance.year < 1970 }.sorted { $0.name }.limit(20)
    let heroes = try await client.fetch(early)
    let number = try await client.count(early)

    let predicate = #Predicate<Character> { $0.firstAppearance.year < 1970 }
    let same = try FetchRequest(predicate).sorted(by: [SortDescriptor(\.name)]).limit(20)
    // end snippet
    _ = (heroes, number, try await client.fetch(same))
}

/// Deletes fighters, one with its medals and one with its powers.
func fromSwiftDataDeleting(on client: any DBClient) async throws {
    // snippet: from-swiftdata-cascade
    // The medals name their fighter, so they go with it.
    try await client.delete(Fighter.self, key: 1)

    // A fighter names its powers, so they are deleted where no other fighter has them.
    try await client.write { transaction in
        guard let nova = try transaction.find(Fighter.self, key: 2) else { return }
        try transaction.delete(nova)
        for power in nova.powers {
            let others = try transaction.count(power.inverse(of: \Fighter.powers))
            if others == 0 { try transaction.delete(power) }
        }
    }
    // end snippet
}

func fromSwiftDataConditions(on client: any DBClient) async throws -> [Int] {
    // snippet: from-swiftdata-optional
    let marvel = Fighter.where { $0.studio.name == "Marvel" }
    let elsewhere = Fighter.where { $0.studio.name != "Marvel" }  // also those without a studio
    let free = Fighter.where { $0.studio == nil }
    let medals = try await client.fetch(Medal.where { $0.fighter.name == "Nova" })
    // end snippet
    let counts = [marvel, elsewhere, free]
    var numbers = [medals.count]
    for request in counts { numbers.append(try await client.count(request)) }
    return numbers
}
