import DBClientCore
import DBClientObjectStore
import DBClientTesting
import Foundation

// snippet: from-dbclient-model
@Stored struct Team {
    @PrimaryKey let identifier: Int
    var name: String
}
// end snippet

// snippet: from-harmony-generated
@Stored struct Draft {
    @PrimaryKey(.generated) var identifier: String = ""
    var text: String
}
// end snippet

/// What an app shows of a character.
struct Headline: Sendable {
    var id: Int
    var title: String
}

func fromDBClient(at url: URL) async throws {
    // snippet: from-dbclient-open
    let client: any DBClient = try ObjectStoreDBClient(at: url)
    // end snippet
    let ironMan = Character.ironMan
    // snippet: from-dbclient-request
    let request = Character.where { $0.publisher == 1 }
        .sorted { $0.name }
        .offset(20)
        .limit(10)
    let heroes = try await client.fetch(request)
    // end snippet
    // snippet: from-dbclient-names
    let byName = try Character.all
        .filter(field: "publisher", equalTo: 1)
        .filter(field: "name", notIn: ["Hulk"])
        .sorted(by: [.field("name")])
    // end snippet
    // snippet: from-dbclient-write
    try await client.insert(ironMan)
    try await client.update(ironMan)
    let outcome = try await client.upsert([ironMan])
    print(outcome.inserted, outcome.updated)
    try await client.delete(ironMan)
    try await client.deleteAll(Character.self)
    // end snippet
    // snippet: from-dbclient-upsert
    let result = try await client.upsert(ironMan)
    print(result.value.name, result.isUpdated)
    // end snippet
    // snippet: from-dbclient-sort
    let shelf = Character.all.sorted { [$0.name.ascending.natural, $0.identifier.descending] }
    let index = Character.all.sorted { $0.name.ascending.caseInsensitive }
    // end snippet
    // snippet: from-dbclient-find
    let all = try await client.findAll(Character.self)
    let first = try await client.find(Character.self, key: 1455)
    // end snippet
    // snippet: from-dbclient-blocking
    let same = try client.blocking.fetch(request)
    // end snippet
    _ = (heroes, byName, all, first, same, shelf, index)
}

@MainActor
func fromDBClientObserving(
    _ request: FetchRequest<Character>,
    of client: any DBClient,
    in list: CharacterList
) {
    // snippet: from-dbclient-observe
    let token = client.observe(
        request,
        onFailure: { error in print(error) },
        { change in
            switch change {
            case .initial(let objects):
                list.show(objects)
            case .update(let changes):
                print(changes.deletions, changes.insertions, changes.modifications, changes.moves)
                list.apply(changes)
            }
        }
    )
    token.cancel()
    // end snippet
}

func fromRealmValues(_ ironMan: Character, on client: any DBClient) async throws {
    // snippet: from-realm-values-write
    try await client.write { transaction in
        try transaction.upsert(ironMan)
        try transaction.update(Character.self, key: 1455) { $0.set(\.realName, to: "Tony Stark") }
        try transaction.delete(Character.where { $0.publisher == 6 })
    }
    // end snippet
    // snippet: from-realm-values-query
    let heroes = try await client.results(of: CharacterQuery.of(publisher: 1))
    print(heroes.count)
    for index in heroes.indices { print(try heroes[index].name) }
    // end snippet
}

func fromRealmIO(
    _ ironMan: Character,
    isDryRun: Bool,
    on client: any DBClient
) async throws {
    // snippet: from-realmio-writes
    try await client.run(.insert(ironMan))
    try await client.run(.upsert(ironMan))
    try await client.run(.insert([ironMan]))
    try await client.run(.delete(ironMan))
    try await client.run(.delete([ironMan]))
    try await client.run(.delete(Character.where { $0.publisher == 6 }))
    try await client.run(.deleteAll(Character.self))
    // end snippet
    // snippet: from-realmio-reads
    let hero = try await client.run(.find(Character.self, key: 1455))
    let heroes = try await client.run(.fetch(Character.where { $0.publisher == 1 }))
    // end snippet
    // snippet: from-realmio-fail
    let checked = ReadOperation.find(Character.self, key: 1455).flatMap { hero in
        hero.map { .value($0) } ?? .fail(UnknownCharacter())
    }
    // end snippet
    // snippet: from-realmio-any
    let ajax = Character.where { $0.publisher == 6 }
    let operation =
        isDryRun
        ? AnyOperation(ReadOperation.count(ajax)) : AnyOperation(WriteOperation.delete(ajax))
    let count = try await client.run(operation)
    // end snippet
    _ = (hero, heroes, checked, count)
    try await composeFromRealmIO(on: client)
}

private func composeFromRealmIO(on client: any DBClient) async throws {
    // snippet: from-realmio-compose
    let read = ReadOperation.find(Character.self, key: 1455)
    let delete = read.flatMap { hero in
        hero.map { WriteOperation.delete($0) } ?? .value(false)
    }
    let deleted = try await client.run(delete)
    // end snippet
    // snippet: from-realmio-ask
    let count = ReadOperation<ReadTransaction>.ask.map { try $0.count(Character.all) }
    let number = try client.blocking.run(count)
    // end snippet
    // snippet: from-realmio-modify
    let renamed = try await client.run(
        .modify(Character.self, key: 1455) { $0.realName = "Tony Stark" }
    )
    // end snippet
    // snippet: from-realmio-dynamic
    let entity = try EntityCatalog([Character.self]).entity(named: "Character")
    let rows = try await client.run(
        .fetch(DynamicRequest(entity).filter(.field("publisher", .equal, 1)))
    )
    // end snippet
    // snippet: from-realmio-create
    let studio = try EntityCatalog([Studio.self]).entity(named: "Studio")
    try await client.run(.insert([DynamicRow(studio, ["id": 1, "name": "Marvel"])]))
    // end snippet
    _ = (deleted, number, renamed, rows)
}

func fromHarmony(on client: any DBClient) async throws {
    // snippet: from-harmony-repository
    let characters = client.repository(for: Character.self)
    let ironMan = try await characters.get(key: 1455)
    let marvel = try await characters.getAll(CharacterQuery.of(publisher: 1))
    try await characters.put(ironMan)
    try await characters.deleteAll(CharacterQuery.named("hulk"))
    // end snippet
    // snippet: from-harmony-mapper
    let headlines = characters.merged(
        decode: { Headline(id: $0.identifier, title: $0.name) },
        encode: { headline, stored in
            var character = stored ?? .ironMan
            character.name = headline.title
            return character
        }
    )
    try await headlines.put(Headline(id: 1455, title: "Iron Man"))
    // end snippet
    // snippet: from-harmony-key
    let key = try await client.findKey(of: Character.self) { $0.name == "Iron Man" }
    // end snippet
    // snippet: from-harmony-keys
    let other = try await client.findKey(of: Character.self) {
        $0.name == "Iron Man" && $0.publisher == 1
    }
    // end snippet
    // snippet: from-harmony-blocking
    let same = try characters.blocking.get(key: 1455)
    // end snippet
    // snippet: from-harmony-not-found
    do {
        _ = try await characters.get(key: 9)
    } catch let error as DBClientError where error.code == .notFound {
        print("There is no such character.")
    }
    // end snippet
    let draft = try await client.insert(Draft(text: "…"))
    _ = (marvel, key, other, same, draft)
}

func spying() async throws {
    // snippet: from-harmony-spy
    let spy = SpyDBClient()
    try await HeroLibrary(client: spy).save(.ironMan)
    print(spy.calls.map(\.shape))  // ["upsert Character (1)"]
    // end snippet
}

extension HeroLibrary {
    /// Stores a character.
    func save(_ character: Character) async throws {
        try await client.upsert(character)
    }
}
